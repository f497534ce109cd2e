import { signal } from '@preact/signals'
import type { RunEvent } from '../../../src/core/agent.ts'
import type { Job } from '../../../src/core/api/job.ts'
import { progressAfter } from '../../../src/core/api/job-progress.ts'
import { isOver } from '../../../src/core/api/job-state.ts'
import { api } from './api.ts'
import { refused, token } from './token.ts'

// What happens in the jobs of the server. One tab listens and tells the others, as a browser opens six connections for all of them.
type LiveEvent = { kind: 'job'; job: Job } | { kind: 'event'; job: string; event: RunEvent }

export const liveJobs = signal<ReadonlyMap<string, Job>>(new Map())
export const liveConnection = signal<'connecting' | 'open' | 'lost'>('connecting')
export const retryAt = signal(0) // milliseconds since 1970, while the connection is lost

const listeners = new Set<(event: LiveEvent) => void>()

export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function startLive(): () => void {
  const stop = new AbortController()
  const channel = new BroadcastChannel('longtake-live')
  let leads = false
  channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage | 'who' | 'retry'>) => {
    if (data === 'retry') wake()
    else if (data !== 'who') take(data)
    else if (leads && liveConnection.value !== 'connecting')
      channel.postMessage({ connection: liveConnection.value, retryAt: retryAt.value })
  })
  channel.postMessage('who')
  const tell = (told: LiveMessage) => {
    take(told)
    channel.postMessage(told)
  }
  retryNow = () => {
    if (leads) wake()
    else channel.postMessage('retry')
  }
  const leaveToken = token.subscribe(() => wake())
  void readJobs()
  // The lock is held as long as this tab lives; then another one listens.
  navigator.locks
    .request('longtake-live', { signal: stop.signal }, () => {
      leads = true
      return listen(tell, stop.signal)
    })
    .catch(() => {}) // stopped
  return () => {
    stop.abort()
    leaveToken()
    channel.close()
  }
}

type LiveMessage = { connection: 'open' } | { connection: 'lost'; retryAt: number } | LiveEvent

function take(told: LiveMessage): void {
  if ('connection' in told) {
    const opens = liveConnection.value !== 'open' && told.connection === 'open'
    liveConnection.value = told.connection
    if (told.connection === 'lost') retryAt.value = told.retryAt
    if (opens) void readJobs() // a job that ended before the stream was open is not in it
    return
  }
  if (told.kind === 'job') liveJobs.value = new Map(liveJobs.value).set(told.job.id, told.job)
  else takeProgress(told)
  for (const listener of [...listeners]) listener(told)
}

function takeProgress({ job: id, event }: Extract<LiveEvent, { kind: 'event' }>): void {
  const job = liveJobs.value.get(id)
  if (!job) return
  const progress = progressAfter(job, event)
  if (progress.doing !== job.doing || progress.stages !== job.stages)
    liveJobs.value = new Map(liveJobs.value).set(id, { ...job, ...progress })
}

const pauses = [1, 2, 3, 5] // seconds before a retry; the last one from then on

let wake = () => {}
export let retryNow = () => {}

async function listen(tell: (told: LiveMessage) => void, stop: AbortSignal): Promise<void> {
  const cursor = { id: '' } // how far the events were read: none is missed by a short loss
  let failures = 0
  while (!stop.aborted) {
    // The path is signed by this start of the server: it is asked for again after a restart.
    const live = refused.peek() ? undefined : await api('GET /jobs').then(readLive, () => undefined)
    if (live !== undefined && (await listenOnce(live, cursor, tell, stop))) failures = 0
    const pause = 1000 * (pauses[Math.min(failures++, pauses.length - 1)] ?? 1)
    if (!refused.peek()) tell({ connection: 'lost', retryAt: Date.now() + pause })
    await new Promise<void>(resolve => {
      wake = resolve
      setTimeout(resolve, pause)
    })
  }
}

function readLive({ live }: { live: string }): string {
  return live
}

// Until the connection breaks. True if it was open.
function listenOnce(
  live: string,
  cursor: { id: string },
  tell: (told: LiveMessage) => void,
  stop: AbortSignal,
): Promise<boolean> {
  return new Promise(resolve => {
    const source = new EventSource(cursor.id === '' ? live : `${live}?after=${encodeURIComponent(cursor.id)}`)
    let opened = false
    const close = () => {
      source.close()
      resolve(opened)
    }
    const read = (event: MessageEvent<string>) => {
      if (event.lastEventId !== '') cursor.id = event.lastEventId
      return JSON.parse(event.data)
    }
    stop.addEventListener('abort', close, { once: true })
    source.onopen = () => {
      opened = true
      tell({ connection: 'open' })
    }
    source.onerror = close
    source.addEventListener('job', event => tell({ kind: 'job', job: read(event) }))
    source.onmessage = event => tell({ kind: 'event', ...read(event) })
  })
}

async function readJobs(): Promise<void> {
  const list = await api('GET /jobs').catch(() => undefined)
  if (!list) return
  // What came by the stream meanwhile is newer than the list.
  const jobs = new Map(liveJobs.peek())
  for (const job of list.jobs) if (!isOver(jobs.get(job.id)?.state ?? 'waiting')) jobs.set(job.id, job)
  liveJobs.value = jobs
}

export function runningJobs(): Job[] {
  return [...liveJobs.value.values()].filter(job => !isOver(job.state))
}
