import { wilson } from '../../metrics/statistics/accuracy.ts'
import { binomialAtLeast, holm } from '../../metrics/statistics/significance.ts'
import type { DraftItem, ItemCheck } from '../item.ts'
import { isChoice, rightAnswers, solvers, solves } from './parts/solvers.ts'
import { eachItem, withOutcome } from './parts/verdicts.ts'

export interface ShallowScore {
  solver: string
  n: number
  right: number
  accuracy: number // per cent
  low: number // of the 95 % Wilson interval
  high: number
  chance: number // mean of 1 / options
  p: number // exact binomial against chance, one-sided, Holm over the solvers
}

// What a reader of only the options gets right.
export function shallowScores(items: readonly DraftItem[]): ShallowScore[] {
  const choices = items.filter(isChoice)
  const n = choices.length
  if (n === 0) return []
  const answers = rightAnswers(choices)
  const chance = choices.reduce((sum, { options }) => sum + 1 / options.length, 0) / n
  const counts = Object.entries(solvers).map(([solver, scores]) => ({
    solver,
    right: choices.filter(item => solves(scores, item, answers)).length,
  }))
  const corrected = holm(counts.map(({ right }) => binomialAtLeast(right, n, chance)))
  return counts.map(({ solver, right }, at) => {
    const { low, high } = wilson(right / n, n)
    const percent = { accuracy: (right / n) * 100, low: low * 100, high: high * 100, chance: chance * 100 }
    return { solver, n, right, ...percent, p: corrected[at] ?? 1 }
  })
}

// K7. Nothing is dropped for being easy to guess: that belongs to the set. Items that several solvers get are shown to people first.
export const shallow: ItemCheck = {
  k: 7,
  name: 'shallow',
  scope: 'set',
  warnsOfGuessing: true,
  run(items, { thresholds: { solvers: most = 3 } }) {
    const answers = rightAnswers(items.filter(isChoice))
    return eachItem(items, item => {
      if (!isChoice(item)) return undefined
      const solvedBy = Object.keys(solvers).filter(name => solves(solvers[name]!, item, answers))
      return withOutcome('flag', solvedBy.length >= most ? `found by ${solvedBy.join(', ')}` : undefined)
    })
  },
  warnings: (items, { thresholds: { p: limit = 0.05 } }) =>
    shallowScores(items)
      .filter(({ p }) => p < limit)
      .map(
        ({ solver, right, n, accuracy, low, high, chance, p }) =>
          `The solver "${solver}" is right in ${right} of ${n}: ${accuracy.toFixed(2)} % (${low.toFixed(2)} to ${high.toFixed(2)}), chance is ${chance.toFixed(2)} %, p ${p < 0.0001 ? '< 0.0001' : `= ${p.toFixed(4)}`}.`,
      ),
}
