import type { AgentState, Budget, StopReason } from '../../src/core/agent.ts'

// The share of tokens and time that gathering evidence may use; the rest is kept for writing and checking the answer.
const forGathering = 0.8

// What holds where the budgets are switched off: a run still ends.
const unlimited: Budget = {
  steps: 64,
  tokens: Number.MAX_SAFE_INTEGER,
  frames: Number.MAX_SAFE_INTEGER,
  seconds: 86_400,
}

export function budgetOf(budget: Budget, enforced: boolean): Budget {
  return enforced ? budget : unlimited
}

// Why gathering must end now; undefined while it may go on.
export function exhausted(state: AgentState, budget: Budget, round: number, elapsed: number): StopReason | undefined {
  const { spent } = state
  if (round >= budget.steps) return 'steps'
  if (spent.inputTokens + spent.outputTokens >= budget.tokens * forGathering) return 'tokens'
  if (spent.frames >= budget.frames) return 'frames'
  if (elapsed >= budget.seconds * forGathering) return 'seconds'
  if (budget.money !== undefined && spent.money >= budget.money * forGathering) return 'money'
  return undefined
}

// Whether one more call of a model is within the budget at all.
export function mayCallModel(state: AgentState, budget: Budget, elapsed: number): boolean {
  const { spent } = state
  return (
    spent.inputTokens + spent.outputTokens < budget.tokens &&
    elapsed < budget.seconds &&
    (budget.money === undefined || spent.money < budget.money)
  )
}
