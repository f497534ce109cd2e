import type { LongtakeError } from '../../core/errors.ts'
import type { IndexReport } from '../../core/runtime.ts'
import { formatTime } from '../../core/time.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { formatDuration } from './format.ts'
import { coverageLines } from './lines.ts'

export type IndexOutcome = { path: string; report: IndexReport } | { path: string; error: LongtakeError }

// What indexing made of a video.
export function outcomeLines(outcome: IndexOutcome): string[] {
  if ('error' in outcome) return [`${visibleFileName(outcome.path)}: failed: ${visibleFileName(outcome.error.message)}`]
  const { video, stages, coverage, seconds } = outcome.report
  const doneStages = stages.filter(stage => stage.state === 'done')
  const summary = doneStages.length === 0 ? 'was indexed already' : `indexed in ${formatDuration(seconds)}`
  return [
    `${visibleFileName(video.name)}: ${formatTime(video.duration)}, ${summary}, id ${video.id}`,
    ...coverageLines(coverage).map(line => `  ${line}`),
  ]
}
