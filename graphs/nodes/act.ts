import type { Step } from '../../src/core/agent.ts'
import type { ToolCall } from '../../src/core/chat.ts'
import { errorText, LongtakeError, nearest } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/hash.ts'
import { permissionGuard } from '../policy/permission-guard.ts'
import { prepareArguments } from '../policy/repair-arguments.ts'
import { type Session, untilAborted } from '../session.ts'
import type { Change, RunState } from './run-state.ts'

// Runs the calls of one round side by side. What goes wrong with a call becomes a step that the planner reads.
export async function act(session: Session, state: RunState): Promise<Change> {
  const allowed = state.calls.slice(0, session.parts.policy.callsPerRound)
  const earlier = new Map(state.agent.steps.filter(isRun).map(step => [keyOf(step.tool, step.input), step]))
  const running = new Map<string, Promise<Step>>()
  const steps = await Promise.all(allowed.map(call => runCall(session, state.round, call, earlier, running)))
  const extra = state.calls.slice(allowed.length).map(call => ({
    ...refused(state.round, call, `Only ${allowed.length} calls fit in one round; this one was not run.`),
  }))
  return {
    agent: session.state(state.agent, { steps: [...state.agent.steps, ...steps, ...extra] }),
    calls: [],
    round: state.round + 1,
    next: 'plan',
  }
}

async function runCall(
  session: Session,
  round: number,
  call: ToolCall,
  earlier: ReadonlyMap<string, Step>,
  running: Map<string, Promise<Step>>,
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
    return told(session, refused(round, call, text))
  }
  const forbidden = permissionGuard(tool, context.permissions)
  if (forbidden) return told(session, refused(round, call, forbidden))
  const prepared = prepareArguments(tool, call.arguments, index.video.duration)
  if ('refusal' in prepared) return told(session, { ...refused(round, call, prepared.refusal), notes: prepared.notes })

  const { input, notes } = prepared
  const key = keyOf(tool.name, input)
  const first = earlier.get(key) ?? (await running.get(key))
  if (first) {
    const note = 'The same call was made before; this is its first result.'
    return told(session, { ...first, round, outcome: 'repeated', notes: [...notes, note], seconds: 0 })
  }
  watch({ type: 'tool-start', round, tool: tool.name, input })
  const work = (async (): Promise<Step> => {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    try {
      const result = await untilAborted(tool.run(input, { ...session.context, round }), session.signal)
      const fresh = session.learn(result.evidence)
      const known = result.evidence.length > 0 && fresh.length === 0 ? ['All of these rows were known before.'] : []
      return {
        round,
        tool: tool.name,
        input,
        outcome: result.outcome ?? (result.evidence.length > 0 ? 'found' : 'nothing'),
        evidence: result.evidence.map(row => row.id),
        ...(result.text ? { text: result.text } : {}),
        notes: [...notes, ...known],
        seconds: seconds(),
      }
    } catch (error) {
      const hint = error instanceof LongtakeError && error.hint ? ` ${error.hint}` : ''
      const text = session.stopped() ? 'Stopped before it was done.' : `${errorText(error)}${hint}`
      return { round, tool: tool.name, input, outcome: 'failed', evidence: [], text, notes, seconds: seconds() }
    }
  })()
  running.set(key, work)
  return told(session, await work)
}

function told(session: Session, step: Step): Step {
  session.parts.watch({ type: 'tool-end', step })
  return step
}

function refused(round: number, call: ToolCall, text: string): Step {
  const input = call.arguments ?? {}
  return { round, tool: call.name, input, outcome: 'refused', evidence: [], text, notes: [], seconds: 0 }
}

function isRun(step: Step): boolean {
  return step.outcome === 'found' || step.outcome === 'nothing'
}

function keyOf(tool: string, input: unknown): string {
  return contentHash([tool, input])
}
