import type { Budget, StopReason } from '../../src/core/agent.ts'
import type { Usage } from '../../src/core/chat.ts'

// The share of tokens and time that gathering evidence may use; the rest is kept for writing and checking the answer.
const forGathering = 0.8

// Why gathering must end now; undefined while it may go on.
export function exhausted(spent: Usage, budget: Budget, round: number): StopReason | undefined {
  if (round >= budget.steps) return 'steps'
  if (spent.inputTokens + spent.outputTokens >= budget.tokens * forGathering) return 'tokens'
  if (spent.frames >= budget.frames) return 'frames'
  if (spent.seconds >= budget.seconds * forGathering) return 'seconds'
  if (budget.money !== undefined && spent.money >= budget.money * forGathering) return 'money'
  return undefined
}

// Whether one more call of a model is within the budget at all.
export function mayCallModel(spent: Usage, budget: Budget): boolean {
  return (
    spent.inputTokens + spent.outputTokens < budget.tokens &&
    spent.seconds < budget.seconds &&
    (budget.money === undefined || spent.money < budget.money)
  )
}

// What of the budget may still be gathered with.
export function leftForGathering(spent: Usage, budget: Budget, rounds: number): Budget {
  return {
    steps: budget.steps - rounds,
    tokens: budget.tokens * forGathering - spent.inputTokens - spent.outputTokens,
    frames: budget.frames - spent.frames,
    seconds: budget.seconds * forGathering - spent.seconds,
    ...(budget.money === undefined ? {} : { money: budget.money * forGathering - spent.money }),
  }
}
