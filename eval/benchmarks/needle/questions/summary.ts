import { shuffled } from '../deck.ts'
import * as pool from '../pools.ts'
import type { Dealer } from './dealer.ts'
import type { Draft } from './draft.ts'

// The titles of all slides: nothing that one look at one place could answer.
export function summary({ story: { slides }, random }: Dealer): Draft {
  const titles = slides.map(slide => slide.title)
  const others = foreign(titles, random)
  const mixed = shuffled(titles, random)
  const swapped = (n: number) => [...others.slice(0, n), ...mixed.slice(n)]
  const list = (all: readonly string[]) => shuffled(all, random).join(', ')
  return {
    question: 'Sum up which topics the slides of the video treat, by their titles.',
    answer: `The slides treat ${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}.`,
    expect: { form: 'share', parts: titles.map(title => [title]), least: 0.75 },
    right: list(titles),
    wrong: [1, 2, 3].map(n => list(swapped(n))),
    clues: slides.map(slide => slide.span),
    modalities: ['visual'],
  }
}

// Titles of words that no slide has.
function foreign(titles: readonly string[], random: () => number): string[] {
  const used = new Set(titles.flatMap(title => title.split(' ')))
  const starts = shuffled(pool.titleStarts, random).filter(word => !used.has(word))
  const ends = shuffled(pool.titleEnds, random).filter(word => !used.has(word))
  return [0, 1, 2].map(i => `${starts[i]} ${ends[i]}`)
}
