import type { Budget, Step } from '../../src/core/agent.ts'
import { leftForGathering } from '../asking/budget.ts'
import type { AgentSession } from '../session.ts'

// A part of what is left for gathering, held back until it is released: several helpers may be at work in one round. Undefined where
// too little is left for a run of its own.
export function setAside(
  session: AgentSession,
  share: number,
  rounds: number, // that were used before
): { budget: Budget; release(): void } | undefined {
  const { aside, parts } = session
  const remaining = leftForGathering(session.usage(), parts.budget, rounds)
  const shareOfLimit = (name: 'steps' | 'tokens' | 'frames') =>
    Math.floor(Math.max(0, remaining[name] - aside.reduce((sum, one) => sum + one[name], 0)) * share)
  const money =
    remaining.money === undefined
      ? {}
      : { money: (remaining.money - aside.reduce((sum, one) => sum + (one.money ?? 0), 0)) * share }
  const budget = {
    ...{ steps: shareOfLimit('steps'), tokens: shareOfLimit('tokens'), frames: shareOfLimit('frames') },
    ...{ seconds: remaining.seconds * share, ...money },
  }
  const usable = budget.steps > 0 && budget.tokens > 0 && budget.frames > 0 && budget.seconds > 0
  if (!usable || (budget.money !== undefined && budget.money <= 0)) return undefined
  aside.push(budget)
  return { budget, release: () => void aside.splice(aside.indexOf(budget), 1) }
}

// Rounds that helpers made count as rounds of the run.
export function helperRounds(steps: readonly Step[]): number {
  return steps.reduce((sum, { helper = [] }) => sum + Math.max(0, ...helper.map(step => step.round + 1)), 0)
}
