import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import type { ServerEvent } from '../../../../src/core/api/routes.ts'
import { tail } from '../../../../src/store/tail.ts'
import { type HeldJob, jobView, type News } from './held-job.ts'

const patience = 250 // milliseconds: an event that was late on disk waits no longer

export interface EventSources {
  jobs(): Iterable<HeldJob>
  files(job: HeldJob): string[] // that hold its events, one after the other
  whole(job: HeldJob): Promise<Job> // with its answer
  news: News
}

// The events of one job, numbered by the lines on disk, from the one after `after`; the job itself when its state changes and at
// the end. Nothing is buffered: who reads slowly reads later.
export async function* followJob(
  sources: EventSources,
  job: HeldJob,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const reader = lineReader(() => sources.files(job), after)
  let lastState = ''
  while (!signal.aborted) {
    const over = isOver(job.record.state) // before its lines are read: then none can come any more
    if (!over && jobSign(job) !== lastState) {
      lastState = jobSign(job)
      yield { event: 'job', data: jobView(job) }
    }
    const lines = await reader.next()
    for (const { line, text } of lines) yield { id: String(line), data: JSON.parse(text) }
    if (lines.length > 0) continue
    if (over) return yield { event: 'job', data: await sources.whole(job) }
    await sources.news.wait(patience, signal)
  }
}

// The events of all jobs. An id says how far each job was: "j1:12,j2:3".
export async function* followAll(
  sources: EventSources,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const before = parseCursor(lastId)
  const followed = new Map<HeldJob, { reader: LineReader; at: number; told: string }>()
  const over = new Set<HeldJob>()
  for (const job of sources.jobs()) if (isOver(job.record.state) && !before.has(job.record.id)) over.add(job)
  const cursor = () => [...followed].map(([{ record }, { at }]) => `${record.id}:${at}`).join(',')
  while (!signal.aborted) {
    let idle = true
    for (const job of sources.jobs()) {
      if (over.has(job)) continue
      const ended = isOver(job.record.state)
      let follower = followed.get(job)
      if (!follower) {
        const at = before.get(job.record.id) ?? 0
        follower = { reader: lineReader(() => sources.files(job), at), at, told: '' }
        followed.set(job, follower)
      }
      if (!ended && jobSign(job) !== follower.told) {
        follower.told = jobSign(job)
        yield { id: cursor(), event: 'job', data: jobView(job) }
      }
      const lines = await follower.reader.next()
      for (const { line, text } of lines) {
        follower.at = line
        yield { id: cursor(), data: { job: job.record.id, event: JSON.parse(text) } }
      }
      if (lines.length > 0) idle = false
      else if (ended) {
        followed.delete(job)
        over.add(job)
        yield { id: cursor(), event: 'job', data: jobView(job) }
      }
    }
    if (idle) await sources.news.wait(patience, signal)
  }
}

function jobSign({ record: { state, run } }: HeldJob): string {
  return `${state} ${run}`
}

function parseCursor(id = ''): Map<string, number> {
  return new Map(
    [...id.slice(0, 8192).matchAll(/(j[0-9a-z]+):(\d{1,9})/g)].map(([, job = '', at]) => [job, Number(at)]),
  )
}

interface LineReader {
  next(): Promise<{ line: number; text: string }[]>
}

function lineReader(files: () => string[], after: number): LineReader {
  let line = 0
  let file = 0
  let reading = tail(files()[0] ?? '')
  return {
    async next() {
      for (;;) {
        const more = file + 1 < files().length // before reading: the earlier file is whole once there is another
        const texts = await reading.next()
        const lines = texts.map(text => ({ line: ++line, text })).filter(one => one.line > after)
        if (lines.length > 0) return lines
        if (texts.length > 0) continue
        if (!more) return []
        reading = tail(files()[++file] ?? '')
      }
    },
  }
}
