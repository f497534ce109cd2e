import type { Budget, Step, StopReason } from '../src/core/agent.ts'
import { type LinkedSignal, linkSignals, withDeadline } from '../src/core/basics/signals.ts'
import { addUsage, type ChatReply, emptyUsage, type Usage } from '../src/core/chat.ts'
import { BackendError, UsageError } from '../src/core/errors.ts'
import type { GraphParts, ModelRole } from './parts.ts'

// What a run has spent, what it may still spend, and who ends it: its budget of time as well as the signals around it.
export class Meter {
  readonly signal: AbortSignal
  private readonly caller: LinkedSignal
  private readonly deadline: LinkedSignal
  private readonly started = performance.now()
  private readonly aside: Budget[] = [] // of helpers that are at work
  private readonly parts: Pick<GraphParts, 'budget' | 'prices'>
  private readonly before: Usage
  private spent: Usage = emptyUsage

  constructor(parts: Pick<GraphParts, 'budget' | 'prices' | 'signal'>, before: Usage, running?: AbortSignal) {
    this.parts = parts
    this.before = before
    this.caller = linkSignals(parts.signal, running)
    const secondsLeft = parts.budget.seconds - before.seconds
    this.deadline = withDeadline(Math.max(0, secondsLeft), this.caller.signal)
    if (secondsLeft <= 0) this.deadline.abort(new DOMException('The time is up.', 'TimeoutError'))
    this.signal = this.deadline.signal
  }

  close(): void {
    this.deadline.clear()
    this.caller.clear()
  }

  // Since the node began.
  news(): Usage {
    return { ...this.spent, seconds: (performance.now() - this.started) / 1000 }
  }

  usage(): Usage {
    return addUsage(this.before, this.news())
  }

  spend(usage: Partial<Usage>): void {
    this.spent = addUsage(this.spent, { ...usage, seconds: 0 })
  }

  // What a reply cost, where a price is set for its role.
  pay(role: ModelRole | 'vision', { usage: { inputTokens, outputTokens } }: Pick<ChatReply, 'usage'>): void {
    const price = role === 'rules' ? undefined : this.parts.prices?.[role]
    if (!price) return
    this.spend({ money: (inputTokens * price.input + outputTokens * price.output) / 1e6 })
  }

  // What a call cost that gave no reply of use.
  payFailure(role: ModelRole | 'vision', error: unknown, frames = 0): void {
    if (!(error instanceof BackendError) || !error.usage) return
    this.pay(role, { usage: error.usage })
    this.spend({ calls: 1, ...error.usage, frames })
  }

  get halted(): boolean {
    return this.caller.signal.aborted
  }

  stopped(): StopReason | undefined {
    if (this.halted) return 'interrupted'
    return this.signal.aborted ? 'seconds' : undefined
  }

  // Why gathering must end now; undefined while it may go on.
  over(round: number): StopReason | undefined {
    return this.stopped() ?? reachedLimit(this.usage(), this.parts.budget, round)
  }

  // Whether one more call of a model is within the budget at all.
  mayAsk(): boolean {
    const { budget } = this.parts
    const { inputTokens, outputTokens, seconds, money } = this.usage()
    return (
      !this.stopped() &&
      inputTokens + outputTokens < budget.tokens &&
      seconds < budget.seconds &&
      (budget.money === undefined || money < budget.money)
    )
  }

  // With those that are set aside for helpers.
  framesGone(): number {
    return this.usage().frames + this.aside.reduce((sum, { frames }) => sum + frames, 0)
  }

  framesLeft(): number {
    return Math.max(0, this.parts.budget.frames - this.framesGone())
  }

  // Frames that the planner is shown count like those of any other model: once, however long they stand in its prompt.
  takeFrames(count: number): void {
    const framesLeft = this.framesLeft()
    if (count > framesLeft) throw overFrames(count, framesLeft)
    this.spend({ frames: count })
  }

  // A part of what is left for gathering, held back until it is released: several helpers may be at work in one round. Undefined if
  // too little is left for a run of its own.
  setAside(share: number, rounds: number): { budget: Budget; release(): void } | undefined {
    const { budget: limits } = this.parts
    const spent = this.usage()
    const heldBack = (name: keyof Budget) => this.aside.reduce((sum, one) => sum + (one[name] ?? 0), 0)
    const shareOf = (left: number, name: keyof Budget) => Math.max(0, left - heldBack(name)) * share
    const budget: Budget = {
      steps: Math.floor(shareOf(limits.steps - rounds, 'steps')),
      tokens: Math.floor(shareOf(limits.tokens * forGathering - spent.inputTokens - spent.outputTokens, 'tokens')),
      frames: Math.floor(shareOf(limits.frames - spent.frames, 'frames')),
      seconds: (limits.seconds * forGathering - spent.seconds) * share,
      ...(limits.money !== undefined && { money: shareOf(limits.money * forGathering - spent.money, 'money') }),
    }
    if (Object.values(budget).some(limit => limit <= 0)) return undefined
    this.aside.push(budget)
    return { budget, release: () => void this.aside.splice(this.aside.indexOf(budget), 1) }
  }
}

// The share of tokens and time that gathering evidence may use; the rest is kept for writing and checking the answer.
export const forGathering = 0.8

export function reachedLimit(spent: Usage, budget: Budget, round: number): StopReason | undefined {
  if (round >= budget.steps) return 'steps'
  if (spent.inputTokens + spent.outputTokens >= budget.tokens * forGathering) return 'tokens'
  if (spent.frames >= budget.frames) return 'frames'
  if (spent.seconds >= budget.seconds * forGathering) return 'seconds'
  if (budget.money !== undefined && spent.money >= budget.money * forGathering) return 'money'
  return undefined
}

// Rounds that helpers made count as rounds of the run.
export function helperRounds(steps: readonly Step[]): number {
  return steps.reduce((sum, { helper = [] }) => sum + Math.max(0, ...helper.map(step => step.round + 1)), 0)
}

export function overFrames(frames: number, left: number): UsageError {
  return new UsageError(`This look would show ${frames} frames, and the budget has ${left} left.`, {
    hint: 'Ask for fewer frames, or answer with what there is.',
  })
}
