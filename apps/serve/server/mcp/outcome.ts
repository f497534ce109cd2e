import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { AskReply } from '../../../../src/core/api/row.ts'
import { formatMoment } from '../../../../src/core/time.ts'
import { visibleFileName } from '../../../../src/core/words/visible-text.ts'
import { gapLines } from '../../../../src/runtime/operations/gaps.ts'
import { callOperation } from '../../../../src/runtime/operations/index.ts'
import { rowLines } from '../../../../src/runtime/operations/read.ts'
import { servedMemory } from '../../work/videos/served-memory.ts'
import type { Workplace } from '../../work/workplace.ts'
import { clip } from './clip.ts'
import type { McpContext, McpReply } from './define-tool.ts'
import { describeDoing } from './doing.ts'

const maxAnswer = 6000 // characters
const maxCited = 30
const nearest = 4 // rows that are shown where a question is not answered
const sureChoice = 0.5 // confidence below which an option is a guess
const around = 10 // seconds beside them

// Waits for the end of a job and tells of its progress. Who leaves ends only the waiting.
export async function outcomeWithin(id: string, seconds: number, work: McpContext): Promise<McpReply> {
  const { jobs } = work.place
  const end = work.began + seconds * 1000
  for (;;) {
    const secondsLeft = Math.max(0, (end - Date.now()) / 1000)
    const job = await jobs.wait(id, Math.min(1, secondsLeft), work.signal)
    if (isOver(job.state) || secondsLeft <= 1 || work.signal.aborted) return deliver(job, work)
    work.say(describeDoing(job))
  }
}

function deliver(job: Job, { undelivered, signal, place }: McpContext): Promise<McpReply> {
  if (isOver(job.state) && !signal.aborted) undelivered.delete(job.id)
  return describeJob(job, place)
}

export async function describeJob(job: Job, place: Workplace): Promise<McpReply> {
  const { id, state, answer, error, index } = job
  if (!isOver(state)) {
    const first = place.jobs.list().find(one => one.state === 'running' && one.id !== id)
    const behind = state === 'waiting' && first ? ` behind another job (${describeDoing(first)})` : ''
    return {
      head: `Job ${id} is under way: ${describeDoing(job)}${behind}.`,
      lines: [],
      next: `Call "wait" with job ${id}.`,
    }
  }
  if (state === 'failed') {
    const lines = [error?.message ?? 'No reason was given.', ...(error?.hint === undefined ? [] : [error.hint])]
    const again = error?.code === 'interrupted' && 'Call the same tool again: nothing that was finished is done again.'
    return { head: `Job ${id} failed (${error?.code ?? 'fault'}).`, lines, failed: true, ...(again && { next: again }) }
  }
  if (state === 'cancelled') return { head: `Job ${id} was cancelled.`, lines: [] }
  if (answer) return answered(job, answer, place)
  const gaps = index ? gapLines(index.coverage) : []
  return {
    head: `Job ${id} is done: the video is indexed${index ? ` (${index.seconds.toFixed(1)} s)` : ''}.${gaps.length > 0 ? ` Not looked at: ${gaps.join('; ')}.` : ''}`,
    lines: [],
    next: 'Next: overview.',
  }
}

// Of a question over all videos each row says which it is of.
function findName({ video }: AskReply['evidence'][number]): string {
  return typeof video?.name === 'string' ? `${visibleFileName(video.name)} ` : ''
}

async function answered(job: Job, { answer, evidence, coverage, run }: AskReply, place: Workplace): Promise<McpReply> {
  const { text, confidence, abstained, sentences, unknown = [], cause, mend } = answer
  const memory = servedMemory(place, new AbortController().signal)
  const ids = new Set(sentences.flatMap(({ cites }) => cites))
  const cited = evidence.filter(row => ids.has(row.id)).slice(0, maxCited)
  const citedIds = new Set(cited.map(({ id }) => id.slice(0, 6)))
  const gaps = gapLines(coverage)
  const lines = [
    `answer: ${clip(text, maxAnswer)}`,
    ...(mend ? [`what would help: ${mend}`] : []),
    ...unknown.slice(0, 5).map(part => `not answered: ${clip(part, 200)}`),
    ...cited.map(row => `cited ${findName(row)}${rowLines([{ ...row, video: job.video.id }])[0]?.line}`),
  ]
  const about = [
    `By ${await memory.answerer()}.`,
    ...(gaps.length > 0 ? [`Not looked at: ${gaps.join('; ')}.`] : []),
    `Job ${job.id} is done; how it came about: longtake://run/${run.split(/[\\/]/).pop()}`,
  ].join(' ')
  const isGuess = job.question?.options !== undefined && (cited.length === 0 || confidence < sureChoice)
  const answeredHow = isGuess ? 'A guess among the options: read and view before you use it' : 'Answered'
  if (!abstained) return { head: `${answeredHow}, confidence ${confidence.toFixed(2)}. ${about}`, lines }
  const nearestRows = await callOperation(
    'find',
    {
      ...(!job.library && { video: job.video.id, until: job.question?.until }),
      words: job.question?.text ?? '',
      limit: nearest,
    },
    memory,
  ).catch(() => ({ lines: [] }))
  const [first] = evidence
  const span =
    first && `${formatMoment(Math.max(0, first.span.start - around))}-${formatMoment(first.span.end + around)}`
  return {
    head: `Not answered (${cause ?? 'absent'}): this says that nothing was found, not that the video lacks it. ${about}`,
    lines: [
      ...lines,
      ...nearestRows.lines
        .filter(line => /^\w{6} \d/.test(line) && !citedIds.has(line.slice(0, 6)))
        .map(line => `near ${line}`),
    ],
    next: `Next: find other words, read${span ? ` ${span}` : ''} yourself, and view what no row says: a narrow span, or all with "shots".`,
  }
}
