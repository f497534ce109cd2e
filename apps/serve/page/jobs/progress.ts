import type { Job } from '../../../../src/core/api/job.ts'
import { formatSeconds } from '../parts/format.ts'

export type JobStage = Job['stages'][number]

// Seconds of media that a stage makes in a second, and the seconds that it still takes at that speed.
export function paceOf({ state, done, total, seconds }: JobStage): { times: number; left?: number } | undefined {
  if (!done || !seconds || seconds < 0.5) return undefined
  const times = done / seconds
  return state === 'running' && total !== undefined ? { times, left: Math.max(0, total - done) / times } : { times }
}

// Stages go on at the same time where they can: what is left is at least that of the slowest.
export function leftOf({ stages }: Pick<Job, 'stages'>): number | undefined {
  const secondsLeft = stages.flatMap(stage => paceOf(stage)?.left ?? [])
  return secondsLeft.length === 0 ? undefined : Math.max(...secondsLeft)
}

// What is estimated is said in whole seconds.
export function leftText(seconds: number): string {
  return seconds < 10 ? `${Math.max(1, Math.round(seconds))} s` : formatSeconds(seconds)
}
