import type { RunEvent, Step } from '../agent.ts'
import type { RunStep } from '../api/run.ts'
import type { ToolKind } from '../tool.ts'
import { callSpan } from './call-span.ts'
import type { ComparedStep } from './compare-steps.ts'
import type { MarkedSpan } from './step-spans.ts'

export type TimedEvent = RunEvent & { at: number } // seconds since the run began

interface Begun {
  step: number
  node: string
  round: number
  at: number
  end?: number
  said?: string
  tools: { step: Step; kind?: ToolKind }[]
  learned: string[]
}

// The steps of a run from what happened in it. A step that was made again counts as it was made last. `ordered` are the calls in
// the order in which they were asked for: events come in that in which they ended, which is another one each time.
export function runSteps(
  events: readonly TimedEvent[],
  ordered: readonly Step[] = [],
  known: readonly MarkedSpan[] = [], // rows of steps that are not among these events
): RunStep[] {
  const rows = new Map(known.map(row => [row.id, row]))
  let begun: Begun[] = []
  let duration = 0
  let last = 0
  const close = (end: number) => {
    const current = begun.at(-1)
    if (current) current.end ??= end
  }
  for (const event of events) {
    const current = begun.at(-1)
    if (event.type === 'run') {
      close(last)
      duration = event.video.duration
    } else if (event.type === 'step') {
      const { step, name, round, at } = event
      close(at)
      begun = [...begun.filter(one => one.step < step), { step, node: name, round, at, tools: [], learned: [] }]
    } else if (event.type === 'evidence') {
      const { id, span, track } = event.evidence
      rows.set(id, { id, span, track })
      current?.learned.push(id)
    } else if (event.type === 'plan' && current) current.said = event.text
    else if (event.type === 'tool-end') current?.tools.push({ step: event.step, kind: event.kind })
    else if (event.type === 'answer') close(event.at)
    last = event.at
  }
  return begun.map(one => buildStep(one, inOrder(one.tools, ordered), rows, duration))
}

// Each round of calls is of one step.
function inOrder(tools: Begun['tools'], ordered: readonly Step[]): Begun['tools'] {
  const rounds = new Set(tools.map(({ step }) => step.round))
  const calls = ordered.filter(({ round }) => rounds.has(round))
  if (calls.length !== tools.length) return tools // the step goes on
  return calls.map(step => ({ step, kind: tools.find(one => one.step.tool === step.tool)?.kind }))
}

function buildStep(
  { step, node, round, at, end, said, learned }: Begun,
  tools: Begun['tools'],
  rows: ReadonlyMap<string, MarkedSpan>,
  duration: number,
): RunStep {
  const claimed = new Set<string>()
  const calls = tools.map(({ step: { tool, input, outcome, evidence, text, notes, seconds, helper }, kind }) => {
    const fresh = evidence.filter(id => learned.includes(id) && !claimed.has(id))
    for (const id of fresh) claimed.add(id)
    const span = callSpan({ kind, input, outcome }, duration)
    const foundRows = evidence.flatMap(id => rows.get(id) ?? [])
    return {
      tool,
      input,
      outcome,
      evidence,
      notes,
      seconds,
      found: foundRows,
      fresh,
      ...(kind && { kind }),
      ...(text !== undefined && { text }),
      ...(helper && { helper }),
      ...(span && { span }),
    }
  })
  return {
    step,
    node,
    round,
    at,
    tools: calls,
    fresh: [...new Set(learned)],
    calls: [],
    ...(end !== undefined && { seconds: Math.max(0, end - at) }),
    ...(said !== undefined && { said }),
  }
}

export interface StepLine extends ComparedStep {
  step: number
  node: string
  outcome?: Step['outcome']
}

// One line for each call of a tool, and one for a step that has ended without any.
export function stepLines(steps: readonly RunStep[]): StepLine[] {
  return steps.flatMap(({ step, node, tools, fresh, seconds }): StepLine[] => {
    if (tools.length === 0) return seconds === undefined ? [] : [{ step, node, evidence: fresh }]
    return tools.map(({ tool, input, outcome, evidence, text }) => ({
      step,
      node,
      tool,
      input,
      outcome,
      evidence,
      text,
    }))
  })
}
