import type { RunEvent, StopReason } from '../../../../src/core/agent.ts'
import { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { Problem } from '../../../../src/core/api/problem.ts'
import type { ServerEvent } from '../../../../src/core/api/routes.ts'
import { escapeMarkup, openMarkupStream } from '../../../../src/core/words/escape-markup.ts'
import { visibleFileName, visibleLine } from '../../../../src/core/words/visible-text.ts'
import type { Jobs } from '../../work/jobs/jobs.ts'
import type { JoinedAsk } from './shared-asks.ts'

// What happens on the way to an answer, for a reader: each event as it is, with what it adds to the reasoning.
export type AnswerEvent = { kind: 'thought'; text: string; event: unknown } | AnswerEnd
export type AnswerEnd = { kind: 'answered'; job: AnsweredJob } | { kind: 'failed'; job: Job; error: Problem['error'] }
export type AnsweredJob = Job & { answer: NonNullable<Job['answer']> }

// From the events of one job, up to its end. Nothing comes after a client that has gone.
async function* answerEvents(events: AsyncIterable<ServerEvent>): AsyncGenerator<AnswerEvent> {
  const { write, end } = openReasoning()
  for await (const { event, data } of events) {
    if (event !== 'job') {
      yield { kind: 'thought', text: write(data as RunEvent), event: data }
      continue
    }
    const job = Job.parse(data)
    if (!isOver(job.state)) continue
    const text = end()
    if (text !== '') yield { kind: 'thought', text, event: undefined }
    yield buildAnswerEnd(job)
  }
}

// What is told of a job to one client, until it goes.
export async function readAnswerEvents(
  jobs: Pick<Jobs, 'events'>,
  { job, leave }: JoinedAsk,
  signal: AbortSignal,
): Promise<{ told: AsyncGenerator<AnswerEvent>; leaveNow(): Promise<void> }> {
  const gone = new AbortController()
  const leaveNow = async () => {
    gone.abort()
    await leave().catch(() => {}) // a job that nobody waits for any more has nobody to tell
  }
  signal.addEventListener('abort', () => void leaveNow(), { once: true })
  if (signal.aborted) await leaveNow()
  return { told: answerEvents(jobs.events.follow(job.id, 0, gone.signal)), leaveNow }
}

// All of it at once; without an end where the client has gone.
export async function collectAnswer(told: AsyncIterable<AnswerEvent>): Promise<{ reasoning: string; end?: AnswerEnd }> {
  let reasoning = ''
  for await (const event of told) {
    if (event.kind !== 'thought') return { reasoning, end: event }
    reasoning += event.text
  }
  return { reasoning }
}

function buildAnswerEnd(job: Job): AnswerEnd {
  const { state, answer, error } = job
  if (state === 'done' && answer) return { kind: 'answered', job: { ...job, answer } }
  const why = state === 'cancelled' ? 'The question was cancelled.' : 'The question has no answer.'
  const ended = { message: why, code: 'interrupted', retryable: false }
  return { kind: 'failed', error: error ?? ended, job }
}

// A budget that has ended cuts an answer short as a limit of tokens does.
export function isCutShort(stop: StopReason): boolean {
  return stop !== 'answered'
}

// Whole lines, but for the draft, which comes as it is written.
function openReasoning(): { write(event: RunEvent): string; end(): string } {
  let draft: ReturnType<typeof openMarkupStream> | undefined
  let stages = new Map<string, string>()
  const end = () => {
    const text = draft === undefined ? '' : `${draft.end()}\n`
    draft = undefined
    return text
  }
  const write = (event: RunEvent) => {
    if (event.type === 'token') {
      const head = draft === undefined ? 'draft: ' : ''
      draft ??= openMarkupStream()
      return `${head}${draft.write(event.text)}`
    }
    if (event.type === 'run') stages = new Map()
    const line = event.type === 'stage' ? stageLine(event, stages) : describeEvent(event)
    return line === undefined ? '' : `${end()}${escapeMarkup(line)}\n`
  }
  return { write, end }
}

// When its state changes: how far it is, is in the event.
function stageLine(event: Extract<RunEvent, { type: 'stage' }>, known: Map<string, string>): string | undefined {
  const { stage, state, note } = event
  if (known.get(stage) === state || state === 'waiting') return undefined
  known.set(stage, state)
  return `index: ${stage} ${state}${note === undefined ? '' : ` (${visibleLine(note)})`}`
}

function describeEvent(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run':
      return `video: ${visibleFileName(event.video.name)}`
    case 'reference':
      return `question: ${visibleLine(event.question)}`
    case 'plan':
      return `plan: ${event.text.trim()}`
    case 'tool-start':
      return `${event.tool} ${JSON.stringify(event.input)}`
    case 'tool-end': {
      const { tool, outcome, evidence, seconds } = event.step
      const rows = outcome === 'found' ? ` ${evidence.length}` : ''
      return `${tool}: ${outcome}${rows} (${seconds.toFixed(2)} s)`
    }
    case 'verdict':
      return `${event.verdict}: ${visibleLine(event.sentence)} (${visibleLine(event.reason)})`
    case 'note':
      return visibleLine(event.text)
    default:
      return undefined
  }
}
