import { signal } from '@preact/signals'
import type { RunEvent } from '../../../src/core/agent.ts'
import type { Job } from '../../../src/core/api/job.ts'
import { progressAfter } from '../../../src/core/api/job-progress.ts'
import { isOver } from '../../../src/core/api/job-state.ts'
import { api } from './api.ts'

// What happens in the jobs of the server. One tab listens and tells the others, as a browser opens six connections for all of them.
type LiveEvent = { kind: 'job'; job: Job } | { kind: 'event'; job: string; event: RunEvent }

export const liveJobs = signal<ReadonlyMap<string, Job>>(new Map())
export const liveConnection = signal<'connecting' | 'open' | 'lost'>('connecting')

const listeners = new Set<(event: LiveEvent) => void>()

export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function startLive(): () => void {
  const stop = new AbortController()
  const channel = new BroadcastChannel('longtake-live')
  let leads = false
  channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage | 'who'>) => {
    if (data !== 'who') take(data)
    else if (leads && liveConnection.value !== 'connecting') channel.postMessage({ connection: liveConnection.value })
  })
  channel.postMessage('who')
  const tell = (told: LiveMessage) => {
    take(told)
    channel.postMessage(told)
  }
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
    channel.close()
  }
}

type LiveMessage = { connection: 'open' | 'lost' } | LiveEvent

function take(told: LiveMessage): void {
  if ('connection' in told) {
    const again = liveConnection.value === 'lost' && told.connection === 'open'
    liveConnection.value = told.connection
    if (again) void readJobs()
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

async function listen(tell: (told: LiveMessage) => void, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    // The path is signed by this start of the server: it is asked for again where the server was started again.
    const live = await api('GET /jobs').then(
      list => list.live,
      () => undefined,
    )
    if (live !== undefined) await listenOnce(live, tell, stop)
    tell({ connection: 'lost' })
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
}

// Until the connection is refused for good. A short loss is mended by the browser, which says how far it was.
function listenOnce(live: string, tell: (told: LiveMessage) => void, stop: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const source = new EventSource(live)
    const close = () => {
      source.close()
      resolve()
    }
    stop.addEventListener('abort', close, { once: true })
    source.onopen = () => tell({ connection: 'open' })
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) close()
      else tell({ connection: 'lost' })
    }
    source.addEventListener('job', ({ data }) => tell({ kind: 'job', job: JSON.parse(data) }))
    source.onmessage = ({ data }) => tell({ kind: 'event', ...JSON.parse(data) })
  })
}

async function readJobs(): Promise<void> {
  const list = await api('GET /jobs').catch(() => undefined)
  if (list) liveJobs.value = new Map(list.jobs.map(job => [job.id, job]))
}

export function runningJobs(): Job[] {
  return [...liveJobs.value.values()].filter(job => !isOver(job.state))
}
