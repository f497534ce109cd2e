import type { SampleLine } from '../data/sample-line.ts'
import { mean } from '../metrics/statistics/clusters.ts'

export const costColumns = ['model calls', 'tokens', 'frames', 'tokens per right answer']

// What the answers to a task took, means of a question, as the cells of these columns.
export function costCells(lines: readonly SampleLine[], task = ''): string[] {
  const answers = lines.flatMap(({ asks, grades }) => {
    const ask = asks.find(one => one.tasks.includes(task) && one.error === undefined)
    return ask ? [{ ...ask.usage, score: Math.max(0, grades[task]?.score ?? 0) }] : []
  })
  if (answers.length === 0) return costColumns.map(() => '-')
  const tokens = mean(answers.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens))
  const right = mean(answers.map(({ score }) => score))
  return [
    mean(answers.map(({ calls }) => calls)).toFixed(1),
    tokens.toFixed(0),
    mean(answers.map(({ frames }) => frames)).toFixed(1),
    right === 0 ? '-' : (tokens / right).toFixed(0),
  ]
}
