import { shuffled, whole } from '../deck.ts'
import * as pool from '../pools.ts'
import type { Expectation } from '../record.ts'
import type { Slide, SlideItem } from '../story.ts'
import { type Dealer, rivals } from './dealer.ts'
import type { Draft } from './draft.ts'

// Text on a slide, on a sign, in a running line.
export function shownFact(dealer: Dealer, nth: number): Draft {
  if (nth % 3 === 1) return signName(dealer)
  return nth % 3 === 2 ? delay(dealer) : slideValue(dealer)
}

const whatIs: Record<SlideItem['label'], string> = {
  Budget: 'what is the budget',
  Visitors: 'how many visitors are there',
  Staff: 'how many people are on the staff',
  Room: 'what is the number of the room',
  Opened: 'in which year was it opened',
  Sponsor: 'who is the sponsor',
}

function slideValue({ slides, story, random }: Dealer): Draft {
  const slide = slides.draw()
  const item = shuffled(slide.items, random)[0]
  const onOthers = story.slides
    .filter(other => other !== slide)
    .flatMap(other => other.items.filter(({ label }) => label === item.label).map(({ value }) => value))
  const wrong = rivals(item.value, onOthers, madeUp(item, random), 3, random)
  return {
    question: `According to the slide "${slide.title}", ${whatIs[item.label]}?`,
    answer: `The slide "${slide.title}" says: ${item.label}: ${item.value}.`,
    expect: expectItem(item, wrong, slide),
    right: item.value,
    wrong,
    clues: [slide.span],
    modalities: ['visual'],
  }
}

function expectItem(item: SlideItem, wrong: string[], slide: Slide): Expectation {
  if (item.label !== 'Sponsor') {
    // Another number of the same slide, quoted with it, is not a wrong answer.
    const beside = slide.items.filter(other => other !== item && other.label !== 'Sponsor')
    return { form: 'number', value: numberIn(item.value), beside: beside.map(other => numberIn(other.value)) }
  }
  return { form: 'words', groups: [[item.value]], rivals: wrong }
}

function numberIn(value: string): number {
  return Number.parseInt(value, 10)
}

function madeUp({ label }: SlideItem, random: () => number): string[] {
  if (label === 'Sponsor') return pool.sponsors
  const [from, to] = label === 'Opened' ? [1950, 2009] : [100, 999]
  return Array.from({ length: 6 }, () => `${whole(from, to, random)}${label === 'Budget' ? ' dollars' : ''}`)
}

function signName({ signs, story, random }: Dealer): Draft {
  const sign = signs.draw()
  const others = story.signs.map(other => other.name)
  const wrong = rivals(sign.name, others, pool.signNames, 3, random)
  return {
    question: `Which name is on the ${sign.place.toLowerCase()} sign?`,
    answer: `The sign says ${sign.place} ${sign.name}.`,
    expect: { form: 'words', groups: [[sign.name]], rivals: wrong },
    right: sign.name,
    wrong,
    clues: [sign.span],
    modalities: ['visual'],
  }
}

function delay({ tickers, story, random }: Dealer): Draft {
  const ticker = tickers.draw()
  const others = story.tickers.map(other => `${other.minutes} minutes`)
  const right = `${ticker.minutes} minutes`
  return {
    question: `By how many minutes is the flight to ${ticker.city} late?`,
    answer: `The flight to ${ticker.city} is late by ${right}.`,
    expect: { form: 'number', value: ticker.minutes },
    right,
    wrong: rivals(right, others, ['10 minutes', '20 minutes', '30 minutes', '60 minutes'], 3, random),
    clues: [ticker.span],
    modalities: ['visual'],
  }
}

// One of four towns runs through the picture.
export function whichOption({ tickers, story, random }: Dealer): Draft {
  const ticker = tickers.draw()
  const named = new Set(story.tickers.map(other => other.city))
  const wrong = rivals(
    ticker.city,
    [],
    pool.cities.filter(city => !named.has(city)),
    3,
    random,
  )
  const listed = shuffled([ticker.city, ...wrong], random)
  return {
    question: `Which of these towns is named in a running line of text: ${listed.slice(0, 3).join(', ')} or ${listed[3]}?`,
    answer: `${ticker.city} is named.`,
    expect: { form: 'words', groups: [[ticker.city]], rivals: wrong },
    right: ticker.city,
    wrong,
    clues: [ticker.span],
    modalities: ['visual'],
  }
}
