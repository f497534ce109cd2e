import type { RunEvent } from '../../core/agent.ts'
import type { Job, JobRecord } from '../../core/api/job.ts'
import { whenAborted } from '../../core/signals.ts'

// A job while the server knows of it.
export interface HeldJob {
  record: JobRecord
  doing?: string
  phase: 'waiting' | 'indexing' | 'asking'
  stages: Map<string, Job['stages'][number]>
  stop: AbortController
}

export function heldJob(record: JobRecord): HeldJob {
  const stages = new Map(record.stages?.map(one => [one.stage, one]))
  return { record, phase: 'waiting', stages, stop: new AbortController() }
}

// What the job is at, from what happens in it.
export function watchJob(job: HeldJob, event: RunEvent): void {
  if (event.type === 'stage') {
    const { stage, state, done, total, note } = event
    job.stages.set(stage, { stage, state, done, total, note })
    if (state === 'running') job.doing = stage
  } else if (event.type === 'step') job.doing = event.name
  else if (event.type === 'tool-start') job.doing = event.tool
}

export function jobView({ record, doing, stages }: HeldJob): Job {
  return {
    ...record,
    ...(doing !== undefined && record.state === 'running' && { doing }),
    stages: [...stages.values()],
    ...((record.state === 'failed' || record.state === 'cancelled') && { goOn: goOn(record) }),
  }
}

function goOn({ kind, run, video }: JobRecord): string {
  if (kind === 'ask' && run !== undefined) return `POST /api/runs/${run}/resume`
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
  let told = false
  const wake = () => {
    told = false
    for (const go of [...waiting]) go()
  }
  return {
    wake,
    tell() {
      if (!told) setTimeout(wake, writing)
      told = true
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
