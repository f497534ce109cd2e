import { z } from 'zod'
import { Cause, StopReason } from '../../../../src/core/agent.ts'
import { type Job, JobStateSchema } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { AskReply } from '../../../../src/core/api/row.ts'
import { longRowLine } from '../../../../src/core/evidence.ts'
import { formatTime } from '../../../../src/core/time.ts'
import type { McpContext, McpReply } from './define-tool.ts'
import { doingOf } from './doing.ts'
import { clip, fillPage } from './fill-page.ts'
import { Gap, gapsOf, McpMoment, toMoment } from './shapes.ts'

// What "ask", "index", "wait" and "cancel" reply: a job, and what came of it.
export const McpOutcome = z.object({
  job: z.string(),
  state: JobStateSchema,
  doing: z.string().optional().describe('while it is running'),
  video: z.string(),
  run: z.string().optional().describe('for "explain"'),
  stop: StopReason.optional().describe('what ended it: "answered", or the limit that was reached'),
  confidence: z.number().optional(),
  abstained: z.boolean().optional().describe('the evidence does not answer the question'),
  cause: Cause.optional().describe('why it is not answered'),
  mend: z.string().optional().describe('what would help'),
  choice: z.number().optional().describe('index of the chosen option, from 0'),
  cited: z.array(McpMoment).optional().describe('the rows that the answer rests on; their words are in "words"'),
  left: z.number().optional().describe('cited rows that did not fit; "explain" names them'),
  notLooked: z.array(Gap).optional(),
  seconds: z.number().optional().describe('that the indexing took'),
})
export type McpOutcome = z.infer<typeof McpOutcome>

// Waits for the end of a job and tells of its progress. Who leaves ends only the waiting.
export async function outcomeWithin(id: string, seconds: number, work: McpContext): Promise<McpReply<McpOutcome>> {
  const { jobs } = work.place
  const end = work.began + seconds * 1000
  for (;;) {
    const secondsLeft = Math.max(0, (end - Date.now()) / 1000)
    const job = await jobs.wait(id, Math.min(1, secondsLeft), work.signal)
    if (isOver(job.state) || secondsLeft <= 1 || work.signal.aborted) return deliver(job, work)
    work.say(doingOf(job))
  }
}

function deliver(job: Job, { undelivered, signal }: McpContext): McpReply<McpOutcome> {
  if (isOver(job.state) && !signal.aborted) undelivered.delete(job.id)
  return describeJob(job)
}

export function describeJob(job: Job): McpReply<McpOutcome> {
  const { id, state, video, run, answer, error, index } = job
  const data: McpOutcome = { job: id, state, video: video.id, ...(run !== undefined && { run }) }
  if (!isOver(state)) {
    const doing = doingOf(job)
    return { summary: `Job ${id} is running: ${doing}. Call "wait" with it.`, data: { ...data, doing } }
  }
  if (state === 'failed') {
    const words = [error?.message ?? 'No reason was given.', ...(error?.hint === undefined ? [] : [error.hint])]
    const next =
      error?.code === 'interrupted' ? ' Call the same tool again: nothing that was finished is done again.' : ''
    return { summary: `Job ${id} failed (${error?.code ?? 'fault'}).${next}`, words, data, failed: true }
  }
  if (state === 'cancelled') return { summary: `Job ${id} was cancelled.`, data }
  if (answer) return answered(data, answer)
  const seconds = index?.seconds
  const notLooked = index && gapsOf(index.coverage)
  return {
    summary: `The video is indexed${seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`}. Ask, search or read it.`,
    data: { ...data, ...(seconds !== undefined && { seconds }), ...(notLooked && { notLooked }) },
  }
}

const maxAnswer = 3000 // characters

function answered(data: McpOutcome, { answer, evidence, coverage, stop }: AskReply): McpReply<McpOutcome> {
  const { text, confidence, abstained, choice, sentences, unknown = [], cause, mend } = answer
  const ids = new Set(sentences.flatMap(({ cites }) => cites))
  const rows = evidence.filter(({ id }) => ids.has(id))
  const notLooked = gapsOf(coverage)
  const head = [
    `Answer: ${clip(text, maxAnswer)}`,
    ...(mend ? [mend] : []),
    ...unknown.slice(0, 5).map(part => `Not answered: ${clip(part, 200)}`),
  ]
  const lines = rows.map(row => ({ item: toMoment(row), words: longRowLine(row, 1200) }))
  const page = fillPage(lines, '0', JSON.stringify([head, notLooked]).length)
  const sure = `confidence ${confidence.toFixed(2)}`
  const heading = abstained ? `Not answered (${cause ?? 'absent'})` : `Answered, ${sure}`
  const times = page.items.slice(0, 8).map(({ start }) => `[${formatTime(start)}]`)
  return {
    summary: `${heading}${times.length > 0 ? `; cited: ${times.join(' ')}` : ''}.`,
    words: [...head, ...page.words],
    data: {
      ...data,
      ...{ stop, confidence, abstained, notLooked, cited: page.items },
      ...(cause && { cause, mend }),
      ...(choice !== undefined && { choice }),
      ...(page.left > 0 && { left: page.left }),
    },
  }
}
