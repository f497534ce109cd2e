import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { formatTime } from '../../../../src/core/time.ts'

// What a job is at, in a few words of our own.
export function describeDoing({ state, doing, stages }: Job): string {
  if (isOver(state) || doing === undefined) return state
  const stage = stages.find(one => one.stage === doing && one.state === 'running')
  if (stage?.done === undefined) return doing
  return `${doing} ${formatTime(stage.done)}${stage.total === undefined ? '' : ` of ${formatTime(stage.total)}`}`
}
