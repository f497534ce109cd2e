import type { Span } from '../../../src/core/time.ts'
import type { SceneVoice } from '../../../src/media/render/scene.ts'
import { deck, endless, pick, shuffle, whole } from '../../data/deck.ts'
import * as pool from './pools.ts'
import { capital, signSegment, slideSegment, tickerSegment, viewSegment } from './segments.ts'
import type { CountedSound, NeedleStory, Segment, SlideItem, SpokenLine, Things } from './story.ts'

// The segments that questions are about. Each writes itself into the story when it gets its place.
export function needles(story: NeedleStory, rich: boolean, random: () => number): Segment[] {
  const voices = endless(['rms', 'rms', 'slt', 'awb', 'kal16'] as SceneVoice[], random)
  const segments: Segment[] = []
  // Two minutes hold all that is asked about only where nothing stays for long.
  const brisk = (segment: Segment, maxSeconds: number): Segment =>
    rich ? segment : { ...segment, seconds: Math.min(segment.seconds, maxSeconds) }
  const speak = (during?: SpokenLine['during']) => {
    const fact = story.makeFact.make()
    const voice = voices.draw()
    return {
      heard: { kind: 'speech' as const, text: fact.sentence, voice },
      placed: (_: Span, span: Span) => story.facts.push({ fact, voice, during, span }),
    }
  }

  const starts = deck(pool.titleStarts, random)
  const ends = deck(pool.titleEnds, random)
  const items = itemMaker(random)
  for (let n = 0; n < (rich ? 6 : 4); n++) {
    const title = `${starts.draw()} ${ends.draw()}`
    const content = items()
    const spoken = n < (rich ? 2 : 1) ? speak({ slide: title }) : undefined
    const placed = (seen: Span, heard: Span) => {
      story.slides.push({ title, items: content, span: seen })
      spoken?.placed(seen, heard)
    }
    segments.push(brisk(slideSegment(title, content, { heard: spoken?.heard, placed }, random), 6))
  }

  const signs = deck(pool.signPlaces, random)
  const names = deck(pool.signNames, random)
  const things = thingsMaker(random)
  for (let n = 0; n < (rich ? 6 : 4); n++) {
    const [place, name] = [signs.draw(), names.draw()]
    const spoken = n < (rich ? 2 : 1) ? speak({ sign: place }) : undefined
    const beside = spoken ? undefined : things()
    const placed = (seen: Span, heard: Span) => {
      story.signs.push({ place, name, things: beside, span: seen })
      spoken?.placed(seen, heard)
    }
    segments.push(brisk(signSegment(`${place} ${name}`, beside, { heard: spoken?.heard, placed }, random), 5))
  }

  const towns = deck(pool.cities, random)
  const minutes = deck([15, 25, 35, 40, 45, 50, 55], random)
  for (let n = 0; n < (rich ? 2 : 1); n++) {
    const ticker = { city: towns.draw(), minutes: minutes.draw() }
    const text = `Flight to ${ticker.city} late by ${ticker.minutes} minutes`
    const placed = (span: Span) => story.tickers.push({ ...ticker, span })
    segments.push(tickerSegment(text, { placed }, rich ? 18 : 13, random))
  }

  for (let n = 0; n < (rich ? 4 : 2); n++) segments.push(viewSegment(speak(), 0, random))

  const phrase = { kind: 'speech' as const, text: `${capital(story.phrase.words)}.`, voice: 'rms' as SceneVoice }
  for (let n = whole(2, rich ? 5 : 3, random); n > 0; n--)
    segments.push(viewSegment({ heard: phrase, placed: (_, span) => story.phrase.spans.push(span) }, 0, random))

  for (const sound of sounds(rich, random)) {
    const heard = { kind: 'sound' as const, sound, seconds: soundSeconds[sound], seed: whole(1, 1000, random) }
    segments.push(viewSegment({ heard, placed: (_, span) => story.sounds.push({ sound, span }) }, 0, random))
  }
  return segments
}

const soundSeconds: Record<CountedSound, number> = {
  bell: 2.4,
  siren: 4,
  bark: 2,
  applause: 4,
  music: 5.4,
  beep: 1,
  knock: 1.8,
}

// One kind several times, the others once.
function sounds(rich: boolean, random: () => number): CountedSound[] {
  const counted = pick(['bell', 'bark', 'knock', 'beep'] as CountedSound[], random)
  const once = deck(['siren', 'applause', 'music', 'bell', 'bark', 'knock'] as CountedSound[], random).others(
    rich ? 4 : 3,
    [counted],
  )
  return [...Array<CountedSound>(whole(2, rich ? 5 : 3, random)).fill(counted), ...once]
}

// Three lines of a slide. The same labels come on other slides with other values.
function itemMaker(random: () => number): () => SlideItem[] {
  const sponsors = deck(pool.sponsors, random)
  const countedFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => i + first)
  const numbers = deck(countedFrom(100, 900), random)
  const years = deck(countedFrom(1950, 60), random)
  const number = () => String(numbers.draw())
  const value: Record<SlideItem['label'], () => string> = {
    Budget: () => `${number()} dollars`,
    Visitors: number,
    Staff: number,
    Room: number,
    Opened: () => String(years.draw()),
    Sponsor: () => sponsors.draw(),
  }
  const labels = Object.keys(value) as SlideItem['label'][]
  return () =>
    shuffle(labels, random)
      .slice(0, 3)
      .map(label => ({ label, value: value[label]() }))
}

// No two signs of a video have the same shape in the same colour beside them.
function thingsMaker(random: () => number): () => Things {
  const shapes: Things['shape'][] = ['circle', 'triangle', 'square']
  const colours = Object.keys(pool.thingColours) as pool.ThingColour[]
  const kinds = deck(
    shapes.flatMap(shape => colours.map(colour => ({ shape, colour }))),
    random,
  )
  return () => ({ ...kinds.draw(), count: whole(2, 6, random) })
}
