import { shuffle, whole } from '../../data/deck.ts'
import { foldCase, type SlideFact, type SpokenSentence } from './facts.ts'

// Of what wrong answers are made, and which of a video's texts and sentences go together.

export type Random = () => number

export function otherTitles(
  first: readonly SlideFact[],
  then: readonly SlideFact[],
  not: readonly string[],
  random: Random,
): string[] {
  return [...shuffle(first, random), ...shuffle(then, random)]
    .map(({ title }) => title)
    .filter(one => !not.includes(one))
}

// Four numbers beside the right one, of which a drawn count is lower: its place among them tells nothing.
export function numbersAround(right: number, random: Random): number[] {
  const steps = [1, 2, 3, 4]
  const low = steps.map(step => right - step).filter(value => value > 0)
  const lower = low.slice(0, whole(0, low.length, random))
  return shuffle([...lower, ...steps.map(step => right + step).slice(0, 4 - lower.length)], random)
}

// A title and a sentence that lie on one another by half of the sentence, and on nothing else.
export function pairs(
  shown: readonly SlideFact[],
  said: readonly SpokenSentence[],
): { one: SlideFact; sentence: SpokenSentence }[] {
  const neighbours = shown.flatMap(one =>
    said
      .filter(({ span }) => {
        const shared = Math.min(span.end, one.span.end) - Math.max(span.start, one.span.start)
        return shared / (span.end - span.start) >= 0.5
      })
      .map(sentence => ({ one, sentence })),
  )
  const only = (key: 'one' | 'sentence', pair: (typeof neighbours)[number]) =>
    neighbours.filter(other => other[key] === pair[key]).length === 1
  return neighbours.filter(pair => only('one', pair) && only('sentence', pair))
}

// "375 dollars" and "480 dollars" are of one kind.
export function answerShape(value: string): string {
  return /^\p{Lu}\p{Ll}+$/u.test(value) ? 'Name' : foldCase(value).replace(/\d/g, '9')
}

// The same value with its number 10 to 50 % off.
export function changeNumber(value: string, random: Random): string[] {
  const number = /\d+/.exec(value)?.[0]
  if (number === undefined) return []
  const other = () => {
    const sign = random() < 0.5 ? -1 : 1
    const off = Math.max(1, Math.round(Number(number) * (0.1 + 0.4 * random())))
    return Number(number) + sign * off
  }
  return Array.from({ length: 12 }, () => value.replace(number, String(other()))).filter(text => !text.includes('-'))
}
