import type { RunEvent } from '../agent.ts'
import type { Job } from './job.ts'

type Progress = Pick<Job, 'doing' | 'stages'>

// What a job is at, once that has happened in it.
export function progressAfter({ doing, stages }: Progress, event: RunEvent): Progress {
  if (event.type === 'step') return { doing: event.name, stages }
  if (event.type === 'tool-start') return { doing: event.tool, stages }
  if (event.type !== 'stage') return { doing, stages }
  const { stage, state, done, total, seconds, note } = event
  const before = stages.find(one => one.stage === stage)
  const after = { stage, state, done, total: total ?? before?.total, seconds, note }
  return {
    doing: state === 'running' ? stage : doing,
    stages: before ? stages.map(one => (one === before ? after : one)) : [...stages, after],
  }
}
