import { z } from 'zod'
import { Answer, Step } from '../../../../src/core/agent.ts'
import { Evidence, rowLine } from '../../../../src/core/evidence.ts'
import { roundTime } from '../../../../src/core/time.ts'
import { runRecord } from '../../../../src/runtime/runs/run-record.ts'
import { clip, type PageLine } from './fill-page.ts'
import { type McpMoment, toMoment } from './shapes.ts'

export interface StepItem {
  step: number
  tool: string
  outcome: string
  found: number
  seconds: number
}

interface Explained {
  state: string
  question: string
  answer?: Answer
  steps: PageLine<StepItem>[]
  cited: PageLine<McpMoment>[]
}

const Events = z.union([
  z.object({ type: z.literal('tool-end'), step: Step }),
  z.object({ type: z.literal('evidence'), evidence: Evidence }),
  z.object({ type: z.literal('answer'), answer: Answer }),
  z.object({ type: z.literal('run'), question: z.object({ text: z.string() }) }),
])

// How a run went, from its events: also of one that goes on or was killed.
export async function explainRun(home: string, id: string): Promise<Explained> {
  const { trace, state } = await runRecord(home, id)
  const events = trace.flatMap(event => Events.safeParse(event).data ?? [])
  const rows = new Map(
    events.flatMap(event => (event.type === 'evidence' ? [[event.evidence.id, event.evidence] as const] : [])),
  )
  const answer = events.findLast(event => event.type === 'answer')?.answer
  const steps = events.flatMap(event => (event.type === 'tool-end' ? [event.step] : []))
  const ids = new Set(answer?.sentences.flatMap(({ cites }) => cites))
  return {
    state,
    question: events.find(event => event.type === 'run')?.question.text ?? '',
    ...(answer && { answer }),
    steps: steps.map(({ tool, input, outcome, evidence, seconds }, at) => ({
      item: { step: at + 1, tool, outcome, found: evidence.length, seconds: roundTime(seconds) },
      words: `step ${at + 1} ${tool} ${clip(JSON.stringify(input) ?? '', 300)} ${outcome}: ${evidence.slice(0, 12).join(' ')}`,
    })),
    cited: [...ids].flatMap(id => {
      const row = rows.get(id)
      return row ? [{ item: toMoment(row), words: `cited ${rowLine(row)}` }] : []
    }),
  }
}
