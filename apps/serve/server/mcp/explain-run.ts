import { z } from 'zod'
import { Answer, Step } from '../../../../src/core/agent.ts'
import { Evidence } from '../../../../src/core/evidence.ts'
import { indexLine } from '../../../../src/core/words/index-lines.ts'
import { runRecord } from '../../../../src/runtime/runs/run-record.ts'
import { clip } from './clip.ts'

const maxLines = 200

const Events = z.union([
  z.object({ type: z.literal('tool-end'), step: Step }),
  z.object({ type: z.literal('evidence'), evidence: Evidence }),
  z.object({ type: z.literal('answer'), answer: Answer }),
  z.object({ type: z.literal('run'), question: z.object({ text: z.string() }) }),
])

// How a run went, from its events: also of one that goes on or was killed.
export async function explainRun(home: string, id: string): Promise<{ head: string; lines: string[] }> {
  const { trace, state } = await runRecord(home, id)
  const events = trace.flatMap(event => Events.safeParse(event).data ?? [])
  const answer = events.findLast(event => event.type === 'answer')?.answer
  const question = events.find(event => event.type === 'run')?.question.text ?? ''
  const ids = new Set(answer?.sentences.flatMap(({ cites }) => cites))
  const cited = events.flatMap(event =>
    event.type === 'evidence' && ids.has(event.evidence.id) ? [event.evidence] : [],
  )
  const steps = events.flatMap(event => (event.type === 'tool-end' ? [event.step] : []))
  return {
    head: `${steps.length} steps; ${ids.size} rows cited; ${state}.`,
    lines: [
      `question: ${question}`,
      ...(answer ? [`answer: ${answer.text}`] : []),
      ...steps.map(
        ({ tool, input, outcome, evidence }, at) =>
          `step ${at + 1} ${tool} ${clip(JSON.stringify(input) ?? '', 300)} ${outcome}: ${evidence.slice(0, 12).join(' ')}`,
      ),
      ...new Set(cited.map(row => `cited ${indexLine(row)}`)),
    ].slice(0, maxLines),
  }
}
