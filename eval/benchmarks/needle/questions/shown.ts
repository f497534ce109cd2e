import { shuffle, whole } from '../../../data/deck.ts'
import * as pool from '../pools.ts'
import type { SlideItem } from '../story.ts'
import { type Dealer, phraseAmong, type QuestionDraft, seenAt } from './dealer.ts'

// Text on a slide, on a sign, in a running line.
export function shownFact(dealer: Dealer, nth: number): QuestionDraft {
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

function slideValue({ slides, story, random, rivals }: Dealer): QuestionDraft {
  const slide = slides.draw()
  const [item] = shuffle(slide.items, random) as [SlideItem]
  const { label, value } = item
  const onOthers = story.slides
    .filter(other => other !== slide)
    .flatMap(other => other.items.filter(item => item.label === label).map(item => item.value))
  const wrong = rivals(value, onOthers, madeUp(item, random))
  // Another number of the same slide, quoted with it, is not a wrong answer.
  const beside = slide.items.filter(other => other !== item && other.label !== 'Sponsor')
  return {
    question: `According to the slide "${slide.title}", ${whatIs[label]}?`,
    answer: `The slide "${slide.title}" says: ${label}: ${value}.`,
    ...phraseAmong(value, wrong),
    ...(label !== 'Sponsor' && {
      expect: { form: 'number', value: numberIn(value), beside: beside.map(other => numberIn(other.value)) },
    }),
    ...seenAt(slide),
  }
}

function numberIn(value: string): number {
  return Number.parseInt(value, 10)
}

function madeUp({ label }: SlideItem, random: () => number): string[] {
  if (label === 'Sponsor') return pool.sponsors
  const [from, to]: [number, number] = label === 'Opened' ? [1950, 2009] : [100, 999]
  return Array.from({ length: 6 }, () => `${whole(from, to, random)}${label === 'Budget' ? ' dollars' : ''}`)
}

function signName({ signs, story, rivals }: Dealer): QuestionDraft {
  const sign = signs.draw()
  const otherSigns = story.signs.map(other => other.name)
  return {
    question: `Which name is on the ${sign.place.toLowerCase()} sign?`,
    answer: `The sign says ${sign.place} ${sign.name}.`,
    ...phraseAmong(sign.name, rivals(sign.name, otherSigns, pool.signNames)),
    ...seenAt(sign),
  }
}

function delay({ tickers, story, rivals }: Dealer): QuestionDraft {
  const ticker = tickers.draw()
  const otherMinutes = story.tickers.map(other => `${other.minutes} minutes`)
  const right = `${ticker.minutes} minutes`
  return {
    question: `By how many minutes is the flight to ${ticker.city} late?`,
    answer: `The flight to ${ticker.city} is late by ${right}.`,
    expect: { form: 'number', value: ticker.minutes },
    right,
    wrong: rivals(right, otherMinutes, ['10 minutes', '20 minutes', '30 minutes', '60 minutes']),
    ...seenAt(ticker),
  }
}

// One of four towns runs through the picture.
export function whichOption({ tickers, story, random, rivals }: Dealer): QuestionDraft {
  const ticker = tickers.draw()
  const named = new Set(story.tickers.map(other => other.city))
  const unnamed = pool.cities.filter(city => !named.has(city))
  const wrong = rivals(ticker.city, [], unnamed)
  const listed = shuffle([ticker.city, ...wrong], random)
  return {
    question: `Which of these towns is named in a running line of text: ${listed.slice(0, 3).join(', ')} or ${listed[3]}?`,
    answer: `${ticker.city} is named.`,
    ...phraseAmong(ticker.city, wrong),
    ...seenAt(ticker),
  }
}

// The colour or the number of the things beside a sign.
export function pictureFact({ thingSigns, rivals }: Dealer, nth: number): QuestionDraft {
  const sign = thingSigns.draw()
  const { shape, colour, count } = sign.things!
  const beside = `beside the sign "${sign.place} ${sign.name}"`
  if (nth % 2 === 1)
    return {
      question: `How many ${shape}s are shown ${beside}?`,
      answer: `${count} ${shape}s are shown ${beside}.`,
      expect: { form: 'number', value: count },
      right: String(count),
      wrong: rivals(String(count), [], ['2', '3', '4', '5', '6', '7']),
      ...seenAt(sign),
    }
  return {
    question: `What colour are the ${shape}s shown ${beside}?`,
    answer: `The ${shape}s are ${colour}.`,
    ...phraseAmong(colour, rivals(colour, [], Object.keys(pool.thingColours))),
    ...seenAt(sign),
  }
}

// The titles of all slides: nothing that one look at one place could answer.
export function askSummary({ story: { slides }, random }: Dealer): QuestionDraft {
  const titles = slides.map(slide => slide.title)
  const foreignTitles = foreign(titles, random)
  const mixed = shuffle(titles, random)
  const list = (all: readonly string[]) => shuffle(all, random).join(', ')
  return {
    question: 'Sum up which topics the slides of the video treat, by their titles.',
    answer: `The slides treat ${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}.`,
    expect: { form: 'share', parts: titles.map(title => [title]), least: 0.75 },
    right: list(titles),
    wrong: [1, 2, 3].map(n => list([...foreignTitles.slice(0, n), ...mixed.slice(n)])),
    ...seenAt(...slides),
  }
}

// Titles of words that no slide has.
function foreign(titles: readonly string[], random: () => number): string[] {
  const used = new Set(titles.flatMap(title => title.split(' ')))
  const starts = shuffle(pool.titleStarts, random).filter(word => !used.has(word))
  const ends = shuffle(pool.titleEnds, random).filter(word => !used.has(word))
  return [0, 1, 2].map(i => `${starts[i]} ${ends[i]}`)
}
