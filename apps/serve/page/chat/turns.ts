import type { Answer } from '../../../../src/core/agent.ts'
import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { ReplyTo } from '../api.ts'
import type { ShownRow } from '../rows/row-source.ts'

export interface ShownTurn {
  key: string
  asked: string
  options?: readonly string[]
  run?: string
  job?: Job // while it is known
  answer?: Answer
  rows: readonly ShownRow[] // that the answer cites
}

type Session = ReplyTo<'GET /sessions/:session'>

interface TurnsOf {
  video: string | undefined // none: of all videos
  session: string | undefined
}

export function isJobAbout(job: Job, video: string | undefined): boolean {
  return video === undefined ? job.library === true : job.video.id === video
}

// A conversation: the turns that were kept, then the questions that are under way or were stopped. A run that was gone on with is
// one question, whatever number of jobs it took; so is one that was asked again because it was stopped before it had a run.
export function listTurns(of: TurnsOf, kept: Session | undefined, jobs: Iterable<Job>): ShownTurn[] {
  const groups = new Map<string, Job[]>()
  const askJobs = [...jobs].filter(job => job.kind === 'ask' && isJobAbout(job, of.video) && job.session === of.session)
  for (const job of askJobs.sort((a, b) => (a.created < b.created ? -1 : 1))) {
    const stopped = `stopped ${job.question?.text}`
    const key = job.run ?? stopped
    const before = groups.get(key) ?? groups.get(stopped)
    groups.delete(stopped)
    groups.set(key, [...(before ?? []), job])
  }
  const turns = (kept?.turns ?? []).map(({ turn, question, answer, evidence, run: folder }): ShownTurn => {
    const run = folder?.split(/[\\/]/).at(-1) // a turn names the folder of its run
    const [first] = (run !== undefined && groups.get(run)) || []
    if (run !== undefined) groups.delete(run)
    return {
      key: first?.id ?? run ?? `turn ${turn}`,
      asked: question.refers?.asked ?? question.text,
      ...(question.options && { options: question.options }),
      ...(run !== undefined && { run }),
      ...(answer && { answer }),
      rows: evidence,
    }
  })
  for (const group of groups.values()) {
    const [first, job] = [group[0], group.at(-1)]
    if (!first || !job) continue
    const { question, run } = job
    turns.push({
      key: first.id,
      asked: question?.text ?? '',
      ...(question?.options && { options: question.options }),
      ...(run !== undefined && { run }),
      job,
      rows: [],
    })
  }
  return turns
}

// A name for a conversation that no other has, of its first question or its video: "How-long-is-the-bridge", "talk-2".
export function newSessionName(text: string, taken: ReadonlySet<string>): string {
  const stem = text
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, 48)
    .replace(/-+$/, '')
  const name = stem === '' ? 'talk' : stem
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name}-${number}`
    if (!taken.has(tried)) return tried
  }
}

export function isUnderWay(turn: ShownTurn): boolean {
  return turn.job !== undefined && !isOver(turn.job.state)
}
