import { join } from 'node:path'
import { z } from 'zod'
import { Step } from '../../core/agent.ts'
import { MarkedRow, type RunStep } from '../../core/api/run.ts'
import { UsageError } from '../../core/errors.ts'
import type { KeptCheckpoint } from '../../core/run/checkpoints.ts'
import { runSteps, type TimedEvent } from '../../core/run/run-steps.ts'
import { readCallHeads, type TimedCall } from '../../store/call-log/call-heads.ts'
import { readCheckpoints } from '../../store/run/checkpoints.ts'
import { type RunRecord, readRunRecord, type TraceEvent } from '../../store/run/run-folder.ts'

const Forked = z.object({ run: z.string(), step: z.number(), hint: z.string().optional() })
type Forked = z.infer<typeof Forked>

// A run as a list of steps, each with its calls and the state after it.
export interface RunFilm {
  steps: RunStep[]
  checkpoints: KeptCheckpoint[]
  forked?: Forked
}

export async function runFilm(home: string, run: RunRecord, forks: readonly string[] = []): Promise<RunFilm> {
  const checkpoints = await readCheckpoints(run.folder)
  const forked = Forked.safeParse(run.environment.forked).data
  const before = forked ? await stepsBefore(home, forked, [...forks, run.id]) : []
  const steps = await ownSteps(run, checkpoints)
  const states = new Set(checkpoints.map(stateNumber))
  return {
    steps: [...before, ...steps].map(one => (states.has(one.step) ? { ...one, state: one.step } : one)),
    checkpoints,
    ...(forked && { forked }),
  }
}

// State 0 is before the first step, state N after step N, as the events number them.
export function stateNumber({ metadata }: Pick<KeptCheckpoint, 'metadata'>): number {
  return metadata.step - 1
}

// The first state after each number of rounds of tool calls, from which a fork can go on: something comes after it, and nothing had
// stopped the run.
export function listRounds(checkpoints: readonly KeptCheckpoint[]): { round: number; state: number }[] {
  const latest = new Map(checkpoints.map(one => [stateNumber(one), one.checkpoint.channel_values]))
  const states = new Map<number, number>()
  for (const [state, values] of [...latest].sort(([a], [b]) => b - a)) {
    const goesOn = Object.keys(values).some(name => name.startsWith('branch:to:'))
    if (state > 0 && goesOn && values.stop === undefined && !values.halted) states.set(Number(values.round), state)
  }
  return [...states].map(([round, state]) => ({ round, state })).sort((a, b) => a.round - b.round)
}

// What a fork has taken over. Where the other run is there no more, the steps begin with those of the fork.
async function stepsBefore(home: string, { run: other, step }: Forked, forks: readonly string[]): Promise<RunStep[]> {
  if (forks.includes(other)) return [] // no run of ours: they would go round in a circle
  const otherRun = await readRunRecord(home, other).catch(error => {
    if (error instanceof UsageError) return undefined
    throw error
  })
  const { steps } = otherRun ? await runFilm(home, otherRun, forks) : { steps: [] }
  return steps.filter(one => one.step <= step).map(({ state: _, ...one }) => ({ run: other, ...one }))
}

async function ownSteps(run: RunRecord, checkpoints: readonly KeptCheckpoint[]): Promise<RunStep[]> {
  const events = run.trace.filter(isReadable) as unknown as TimedEvent[]
  const lastState = checkpoints.at(-1)?.checkpoint.channel_values
  const ordered = z.array(Step).safeParse((run.summary as { steps?: unknown } | undefined)?.steps ?? lastState?.steps)
  const rows = z.array(MarkedRow).safeParse(lastState?.evidence)
  const steps = runSteps(events, ordered.data, rows.data)
  const calls = await readCallHeads(join(run.folder, 'calls'))
  const stepOf = stepAt(events, Date.parse(run.started))
  return steps.map(one => ({
    ...one,
    calls: calls.filter(call => stepOf(call) === one.step).map(({ begun: _, ...head }) => head),
  }))
}

// A call belongs to the step that was under way when it began.
function stepAt(events: readonly TimedEvent[], started: number): (call: TimedCall) => number | undefined {
  const begun = events.flatMap(event => (event.type === 'step' ? [{ at: event.at, step: event.step }] : []))
  return call => begun.findLast(({ at }) => started + Math.round(at * 1000) <= call.begun)?.step
}

// What is read of each event. One of another release, in another form, is passed over.
const shapes: Record<string, z.ZodType> = {
  run: z.looseObject({ video: z.looseObject({ duration: z.number() }) }),
  step: z.looseObject({ step: z.number(), name: z.string(), round: z.number() }),
  plan: z.looseObject({ text: z.string() }),
  evidence: z.looseObject({ evidence: MarkedRow }),
  'tool-end': z.looseObject({ step: Step }),
}

function isReadable(event: TraceEvent): boolean {
  const type = String(event.type)
  return !Object.hasOwn(shapes, type) || shapes[type]?.safeParse(event).success === true
}
