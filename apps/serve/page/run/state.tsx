import type { Job } from '../../../../src/core/api/job.ts'
import { runningJobs } from '../live.ts'

type RunState = 'finished' | 'cancelled' | 'failed' | 'unfinished' | 'running' | 'limited'

// A run that a limit has ended has an answer as well.
export function shownRunState({ state, stop }: { state: RunState; stop?: string | undefined }): RunState {
  return state === 'finished' && stop !== undefined && stop !== 'answered' ? 'limited' : state
}

// The job of this server that is at a run now.
export function jobAt(run: string): Job | undefined {
  return runningJobs().find(job => job.run === run)
}
