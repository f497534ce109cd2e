import type { Price, Usage } from '../../../src/core/chat.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { IndexBudget, IndexSettings } from '../../../src/core/settings.ts'

export type CallCost = Pick<Usage, 'calls' | 'inputTokens' | 'outputTokens'>

// What is left of the budget of a video, and what is under way.
export interface Budgeter {
  isBound: boolean
  fits(expected: CallCost): boolean
  // Takes what one call is expected to cost; false where that is more than what is left.
  reserve(expected: CallCost): boolean
  // What the call really took, in place of what was expected.
  commit(expected: CallCost, real: CallCost): void
}

// Which setting bounds what, and the role whose model is paid.
interface BudgetSetting {
  budget: IndexBudget
  setting: 'index.captions.budget' | 'index.overviewBudget'
  role: 'vision' | 'writer'
}

export function budgetOfCaptions({ captions }: Pick<IndexSettings, 'captions'>): BudgetSetting {
  return { budget: captions.budget, setting: 'index.captions.budget', role: 'vision' }
}

export function budgetOfOverview({ overviewBudget }: Pick<IndexSettings, 'overviewBudget'>): BudgetSetting {
  return { budget: overviewBudget, setting: 'index.overviewBudget', role: 'writer' }
}

export function openBudget({ budget, setting, role }: BudgetSetting, price: Price | undefined): Budgeter {
  const { calls, tokens, money } = budget
  if (money !== undefined && !price)
    throw new UsageError(`${setting}.money is set, and the price of models.${role} is not known.`, {
      hint: 'Set it: --set prices.BACKEND.input=2 --set prices.BACKEND.output=8 (of a million tokens), or bound calls or tokens.',
    })
  const limits: { max: number; spent: number; of(cost: CallCost): number }[] = []
  if (calls !== undefined) limits.push({ max: calls, spent: 0, of: cost => cost.calls })
  if (tokens !== undefined) limits.push({ max: tokens, spent: 0, of: cost => cost.inputTokens + cost.outputTokens })
  if (money !== undefined && price) {
    const moneyOf = (cost: CallCost) => (cost.inputTokens * price.input + cost.outputTokens * price.output) / 1e6
    limits.push({ max: money, spent: 0, of: moneyOf })
  }
  const add = (cost: CallCost, sign: 1 | -1) => {
    for (const limit of limits) limit.spent += sign * limit.of(cost)
  }
  const fits = (expected: CallCost) => limits.every(({ max, spent, of }) => spent + of(expected) <= max + 1e-9)
  return {
    isBound: limits.length > 0,
    fits,
    reserve(expected) {
      if (!fits(expected)) return false
      add(expected, 1)
      return true
    },
    commit(expected, real) {
      add(expected, -1)
      add(real, 1)
    },
  }
}
