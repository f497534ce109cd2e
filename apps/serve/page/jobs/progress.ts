import type { Job } from '../../../../src/core/api/job.ts'
import { formatSeconds } from '../parts/format.ts'

export type JobStage = Job['stages'][number]

// Seconds of media that a stage makes in a second, and the seconds that it still takes at that speed.
export function computePace({ state, done, total, seconds }: JobStage): { times: number; left?: number } | undefined {
  if (!done || !seconds || seconds < 0.5) return undefined
  const times = done / seconds
  return state === 'running' && total !== undefined ? { times, left: Math.max(0, total - done) / times } : { times }
}

// Stages go on at the same time where they can: what is left is at least that of the slowest.
export function computeTimeLeft({ stages }: { stages: readonly JobStage[] }): number | undefined {
  const secondsLeft = stages.flatMap(stage => computePace(stage)?.left ?? [])
  return secondsLeft.length === 0 ? undefined : Math.max(...secondsLeft)
}

// What is estimated is said in whole seconds.
export function leftText(seconds: number): string {
  return seconds < 10 ? `${Math.max(1, Math.round(seconds))} s` : formatSeconds(seconds)
}

// How far an indexing is, each of its stages counting the same.
export function doneShare(stages: readonly JobStage[]): number {
  const parts = stages.map(({ state, done = 0, total }) =>
    state === 'waiting' ? 0 : state !== 'running' ? 1 : total ? Math.min(1, done / total) : 0,
  )
  return parts.length === 0 ? 0 : parts.reduce((sum, part) => sum + part, 0) / parts.length
}
