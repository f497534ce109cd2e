import type { BenchRun } from '../runner/files/run-files.ts'
import type { RunReport } from './run-report.ts'

export function judgedByWords({ judgedBy }: Pick<BenchRun, 'judgedBy'>): boolean {
  return judgedBy === 'words'
}

export const notJudged = 'not judged' // in place of a number: an answer without a verdict is not a wrong one

// The name of a task as reports head its scores: what a judge by words gave never stands under the name alone.
export function taskTitle({ run, judgedTasks }: Pick<RunReport, 'run' | 'judgedTasks'>, task: string): string {
  return judgedByWords(run) && judgedTasks.includes(task) ? `${task} (words)` : task
}

export function metricTitle({ run, judgedMetrics }: Pick<RunReport, 'run' | 'judgedMetrics'>, metric: string): string {
  return judgedByWords(run) && judgedMetrics.includes(metric) ? `${metric} (words)` : metric
}

// The run, with the variant that it was asked for by name.
export function runTitle({ folder, run }: Pick<RunReport, 'folder' | 'run'>): string {
  const name = folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder
  const { variant } = run.options
  return typeof variant === 'string' ? `${name} (${variant})` : name
}
