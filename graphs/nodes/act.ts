import type { AgentState, Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { errorText, LongtakeError, nearest } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { untilAborted } from '../../src/core/signals.ts'
import { permissionGuard } from '../calls/permission-guard.ts'
import { plainArguments, shownArguments } from '../calls/plain-arguments.ts'
import { prepareArguments } from '../calls/repair-arguments.ts'
import type { NamedPolicy, RunCalls, Session } from '../session.ts'
import { type Change, madeByPolicy, type RunState } from './run-state.ts'

const mostTold = 24 // calls that did not fit in a round, each with a step of its own
const mostRows = 5000 // of one call
const longestText = 20_000 // characters that a tool says beside its rows

// Runs the calls of one round side by side. What goes wrong with a call becomes a step that the planner reads.
export async function act(session: Session, state: RunState): Promise<Change> {
  const agent = await runCalls(session, state.agent, state.calls, state.round)
  return { agent, calls: [], round: state.round + 1, next: 'plan' }
}

export async function runCalls(
  session: Session,
  agent: AgentState,
  calls: readonly ToolCall[],
  round: number,
): Promise<AgentState> {
  const allowed = calls.slice(0, session.parts.policy.callsPerRound)
  const earlier = new Map(agent.steps.filter(isRun).map(step => [keyOf(step.tool, step.input), step]))
  const running = new Map<string, Promise<Step>>()
  // What a call finds is learned in the order of the calls, not of their ends: a run that is resumed, and has some of the
  // results already, learns the same.
  let learned: Promise<unknown> = Promise.resolve()
  const steps = await Promise.all(
    allowed.map(async call => {
      const step = runCall(session, round, call, earlier, running, learned)
      learned = Promise.allSettled([learned, step])
      return told(session, byWhom(call, await step))
    }),
  )
  const extra = calls
    .slice(allowed.length, allowed.length + mostTold)
    .map(call =>
      told(session, refused(round, call, `Only ${allowed.length} calls fit in one round; this one was not run.`)),
    )
  let after = session.state(agent, { steps: [...agent.steps, ...steps, ...extra] })
  for (const policy of session.policies) if (policy.rate) after = await policy.rate(session, after, steps)
  return after
}

// Runs the calls that a policy makes by itself.
export function runCallsOf(session: Session, { name }: NamedPolicy): RunCalls {
  return (agent, calls, round) =>
    runCalls(
      session,
      agent,
      calls.map(call => ({ ...call, by: name })),
      round,
    )
}

async function runCall(
  session: Session,
  round: number,
  call: ToolCall,
  earlier: ReadonlyMap<string, Step>,
  running: Map<string, Promise<Step>>,
  before: Promise<unknown>, // the calls before this one have been learned
): Promise<Step> {
  const { tools, context, watch, index } = session.parts
  const tool = tools.find(one => one.name === call.name)
  if (!tool) {
    const near = nearest(
      call.name,
      tools.map(one => one.name),
    )
    const names = tools.map(one => one.name).join(', ')
    const text = `There is no tool "${call.name}".${near ? ` Did you mean ${near}?` : ''} Tools: ${names}.`
    return refused(round, call, text)
  }
  const forbidden = permissionGuard(tool, context.permissions)
  if (forbidden) return refused(round, call, forbidden)
  const plain = plainArguments(call.arguments)
  if ('refusal' in plain) return refused(round, call, `${tool.name}: ${plain.refusal}`)
  const prepared = prepareArguments(tool, plain.value, index.video.duration)
  if ('refusal' in prepared) return { ...refused(round, call, prepared.refusal), notes: prepared.notes }

  const { input, notes } = prepared
  const key = keyOf(tool.name, input)
  const first = (tool.varies ? undefined : earlier.get(key)) ?? (await running.get(key))
  if (first) {
    const note = 'The same call was made before; this is its first result.'
    return { ...first, round, outcome: 'repeated', notes: [...notes, note], seconds: 0 }
  }
  watch({ type: 'tool-start', round, tool: tool.name, input })
  const work = (async (): Promise<Step> => {
    const started = performance.now()
    let ended: number | undefined
    const seconds = () => ((ended ?? performance.now()) - started) / 1000
    try {
      const result = await untilAborted(
        tool.run(input, { ...session.context, services: session.services, round }),
        session.signal,
      )
      ended = performance.now()
      await before
      const rows = result.evidence.slice(0, mostRows)
      const fresh = session.learn(rows)
      const known = rows.length > 0 && fresh.length === 0 ? ['All of these rows were known before.'] : []
      return {
        round,
        tool: tool.name,
        input,
        outcome: result.outcome ?? (rows.length > 0 ? 'found' : 'nothing'),
        evidence: rows.map(row => row.id),
        ...(result.text ? { text: result.text.slice(0, longestText) } : {}),
        notes: [...notes, ...known],
        seconds: seconds(),
      }
    } catch (error) {
      const hint = error instanceof LongtakeError && error.hint ? ` ${error.hint}` : ''
      const text = session.stopped()
        ? 'Stopped before it was done.'
        : `${errorText(error)}${hint}`.slice(0, longestText)
      return { round, tool: tool.name, input, outcome: 'failed', evidence: [], text, notes, seconds: seconds() }
    }
  })()
  running.set(key, work)
  return work
}

function byWhom(call: ToolCall, step: Step): Step {
  return call.by ? { ...step, notes: [...step.notes, madeByPolicy] } : step
}

function told(session: Session, step: Step): Step {
  session.parts.watch({ type: 'tool-end', step })
  return step
}

function refused(round: number, call: ToolCall, text: string): Step {
  const input = shownArguments(call.arguments)
  return { round, tool: call.name, input, outcome: 'refused', evidence: [], text, notes: [], seconds: 0 }
}

function isRun(step: Step): boolean {
  return step.outcome === 'found' || step.outcome === 'nothing'
}

function keyOf(tool: string, input: unknown): string {
  return contentHash([tool, input])
}
