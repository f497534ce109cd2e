import type { RunEvent, Turn } from '../../../../src/core/agent.ts'
import type { Job, JobPhase, JobRecord } from '../../../../src/core/api/job.ts'
import { progressAfter } from '../../../../src/core/api/job-progress.ts'
import { whenAborted } from '../../../../src/core/basics/signals.ts'

// A job while the server knows of it.
export interface HeldJob {
  record: JobRecord
  turns?: Turn[] // before its question; its run keeps them once it has begun
  doing?: string
  phase: JobPhase
  elsewhere: boolean // another process is at it, or was
  stages: Job['stages']
  stop: AbortController
  saving: Promise<void> // its record, for the last time so far
}

export function heldJob(
  record: JobRecord,
  more: Partial<Pick<HeldJob, 'phase' | 'elsewhere' | 'turns'>> = {},
): HeldJob {
  return {
    record,
    phase: 'waiting',
    elsewhere: false,
    stages: record.stages ?? [],
    stop: new AbortController(),
    saving: Promise.resolve(),
    ...more,
  }
}

// What the job is at, from what happens in it.
export function watchJob(job: HeldJob, event: RunEvent): void {
  Object.assign(job, progressAfter({ doing: job.doing, stages: job.stages }, event))
}

export function jobView({ record, doing, stages }: HeldJob): Job {
  return {
    ...record,
    ...(doing !== undefined && record.state === 'running' && { doing }),
    stages,
    ...((record.state === 'failed' || record.state === 'cancelled') && { goOn: describeResume(record) }),
  }
}

function describeResume({ kind, run, fork, video }: JobRecord): string {
  if (kind === 'ask' && run !== undefined) return `POST /api/runs/${run}/resume`
  if (fork) return `POST /api/runs/${fork.run}/fork`
  return `POST /api/videos/${video.id}/${kind}`
}

// Wakes those who wait for news of any job.
export interface News {
  tell(): void // what has happened is about to be on disk
  wake(): void // it is on disk
  wait(milliseconds: number, signal: AbortSignal): Promise<void> // for news, at most so long
}

const writing = 10 // milliseconds that an event takes to be on disk, where its readers find it

export function news(): News {
  const waiting = new Set<() => void>()
  let hasNews = false
  const wake = () => {
    hasNews = false
    for (const go of [...waiting]) go()
  }
  return {
    wake,
    tell() {
      if (!hasNews) setTimeout(wake, writing)
      hasNews = true
    },
    wait: (milliseconds, signal) =>
      new Promise(resolve => {
        let unlisten = () => {}
        const go = () => {
          waiting.delete(go)
          clearTimeout(limit)
          unlisten()
          resolve()
        }
        const limit = setTimeout(go, milliseconds)
        waiting.add(go)
        unlisten = whenAborted(signal, go)
      }),
  }
}
