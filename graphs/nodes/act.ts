import type { Step } from '../../src/core/agent.ts'
import { untilAborted } from '../../src/core/basics/signals.ts'
import { permissionGuard } from '../../src/core/calls/permission-guard.ts'
import { plainArguments, shownArguments } from '../../src/core/calls/plain-arguments.ts'
import { prepareArguments } from '../../src/core/calls/repair-arguments.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { errorText, LongtakeError, nearest } from '../../src/core/errors.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import { callKey, stepsByCall } from '../calls/equal-calls.ts'
import { chooseFocus } from '../helper/focus.ts'
import { type AgentSession, givenPermissions } from '../session.ts'
import { type Done, madeByPolicy, type RunState, type Update } from '../state.ts'

const mostTold = 24 // calls that did not fit in a round, each with a step of its own
const mostRows = 5000 // of one call
const longestText = 20_000 // characters that a tool says beside its rows

// Runs the calls of one round side by side. What goes wrong with a call becomes a step that the planner reads.
export async function act(session: AgentSession, state: RunState): Promise<Done> {
  const { calls, round } = state
  const permits = permitsFor(session, state)
  for (const permission of givenPermissions(permits)) session.context.permissions.add(permission)
  return { update: { ...(await runCalls(session, state, calls, round)), permits, calls: [], round: round + 1 } }
}

// Before any call of the round is made, a person may give the permissions that are missing; each is asked for once in a run.
function permitsFor(session: AgentSession, state: RunState): RunState['permits'] {
  const permits: RunState['permits'] = {}
  for (const call of state.calls) {
    const tool = session.parts.tools.find(one => one.name === call.name)
    if (!tool?.danger || !permissionGuard(tool, session.context.permissions)) continue
    const permission = tool.danger
    if (permission in state.permits || permission in permits) continue
    const reply = session.inquire({ type: 'permission', permission, tool: tool.name, input: call.arguments })
    if (reply !== undefined) permits[permission] = reply === true
  }
  return permits
}

export async function runCalls(
  session: AgentSession,
  state: RunState,
  calls: readonly ToolCall[],
  round: number,
): Promise<Update & { steps: Step[] }> {
  const allowed = calls.slice(0, session.parts.policy.callsPerRound)
  const earlier = stepsByCall(state.steps)
  const running = new Map<string, Promise<Step>>()
  const focus = chooseFocus(session, state)
  // What a call finds is learned in the order of the calls, not of their ends: a run that is resumed, and has some of the
  // results already, learns the same.
  let learned: Promise<unknown> = Promise.resolve()
  const run = await Promise.all(
    allowed.map(async call => {
      const step = runCall(session, round, call, { earlier, running, before: learned, focus })
      learned = Promise.allSettled([learned, step])
      return reportStep(session, byWhom(call, await step))
    }),
  )
  const extra = calls
    .slice(allowed.length, allowed.length + mostTold)
    .map(call =>
      reportStep(session, refused(round, call, `Only ${allowed.length} calls fit in one round; this one was not run.`)),
    )
  return { steps: [...run, ...extra] }
}

// What the calls of a round share.
interface Round {
  earlier: ReadonlyMap<string, Step>
  running: Map<string, Promise<Step>>
  before: Promise<unknown> // the calls before this one have been learned
  focus?: ToolContext['focus']
}

async function runCall(
  session: AgentSession,
  round: number,
  call: ToolCall,
  { earlier, running, before, focus }: Round,
): Promise<Step> {
  const { tools, index } = session.parts
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
  const forbidden = permissionGuard(tool, session.context.permissions)
  if (forbidden) return refused(round, call, forbidden)
  const plain = plainArguments(call.arguments)
  if ('refusal' in plain) return refused(round, call, `${tool.name}: ${plain.refusal}`)
  const prepared = prepareArguments(tool, plain.value, index.video.duration)
  if ('refusal' in prepared) return { ...refused(round, call, prepared.refusal), notes: prepared.notes }

  const { input, notes } = prepared
  const key = callKey(tool.name, input)
  const first = (tool.varies ? undefined : earlier.get(key)) ?? (await running.get(key))
  if (first) {
    const note = 'The same call was made before; this is its first result.'
    const { helper: _, ...before } = first
    return { ...before, round, outcome: 'repeated', notes: [...notes, note], seconds: 0 }
  }
  session.watch({ type: 'tool-start', round, tool: tool.name, input })
  const stepPromise = (async (): Promise<Step> => {
    const started = performance.now()
    let ended: number | undefined
    const seconds = () => ((ended ?? performance.now()) - started) / 1000
    try {
      const result = await untilAborted(tool.run(input, { ...session.context, round, focus }), session.meter.signal)
      ended = performance.now()
      await before
      const rows = result.evidence.slice(0, mostRows)
      const fresh = session.ledger.learn(rows)
      const knownNote = rows.length > 0 && fresh.length === 0 ? ['All of these rows were known before.'] : []
      return {
        round,
        tool: tool.name,
        input,
        outcome: result.outcome ?? (rows.length > 0 ? 'found' : 'nothing'),
        evidence: rows.map(row => row.id),
        ...(result.text ? { text: result.text.slice(0, longestText) } : {}),
        ...(result.steps ? { helper: result.steps } : {}),
        notes: [...notes, ...knownNote],
        seconds: seconds(),
      }
    } catch (error) {
      const hint = error instanceof LongtakeError && error.hint ? ` ${error.hint}` : ''
      const text = session.meter.stopped()
        ? 'Stopped before it was done.'
        : `${errorText(error)}${hint}`.slice(0, longestText)
      return { round, tool: tool.name, input, outcome: 'failed', evidence: [], text, notes, seconds: seconds() }
    }
  })()
  running.set(key, stepPromise)
  return stepPromise
}

function byWhom(call: ToolCall, step: Step): Step {
  return call.by ? { ...step, by: call.by, notes: [...step.notes, madeByPolicy] } : step
}

function reportStep(session: AgentSession, step: Step): Step {
  const kind = session.parts.tools.find(tool => tool.name === step.tool)?.kind
  session.watch({ type: 'tool-end', step, ...(kind && { kind }) })
  return step
}

function refused(round: number, call: ToolCall, text: string): Step {
  const input = shownArguments(call.arguments)
  return { round, tool: call.name, input, outcome: 'refused', evidence: [], text, notes: [], seconds: 0 }
}
