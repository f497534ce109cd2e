import * as pool from '../pools.ts'
import { type Dealer, rivals } from './dealer.ts'
import type { Draft } from './draft.ts'

// The colour or the number of the things beside a sign.
export function pictureFact({ thingSigns, random }: Dealer, nth: number): Draft {
  const sign = thingSigns.draw()
  const { shape, colour, count } = sign.things!
  const beside = `beside the sign "${sign.place} ${sign.name}"`
  const shared = { clues: [sign.span], modalities: ['visual' as const] }
  if (nth % 2 === 1) {
    return {
      ...shared,
      question: `How many ${shape}s are shown ${beside}?`,
      answer: `${count} ${shape}s are shown ${beside}.`,
      expect: { form: 'number', value: count },
      right: String(count),
      wrong: rivals(String(count), [], ['2', '3', '4', '5', '6', '7'], 3, random),
    }
  }
  const wrong = rivals(colour, [], Object.keys(pool.thingColours), 3, random)
  return {
    ...shared,
    question: `What colour are the ${shape}s shown ${beside}?`,
    answer: `The ${shape}s are ${colour}.`,
    expect: { form: 'words', groups: [[colour]], rivals: wrong },
    right: colour,
    wrong,
  }
}
