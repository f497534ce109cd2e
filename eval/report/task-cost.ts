import type { SampleLine } from '../data/sample-line.ts'
import { mean } from '../metrics/statistics/clusters.ts'

// What the answers to a task took: means of a question.
interface TaskCost {
  calls: number
  tokens: number
  frames: number
  tokensPerRight: number | null // null where nothing is right
}

export function computeTaskCost(lines: readonly SampleLine[], task: string): TaskCost | undefined {
  const answers = lines.flatMap(({ asks, grades }) => {
    const ask = asks.find(one => one.tasks.includes(task) && one.error === undefined)
    return ask ? [{ usage: ask.usage, score: Math.max(0, grades[task]?.score ?? 0) }] : []
  })
  if (answers.length === 0) return undefined
  const tokens = mean(answers.map(({ usage }) => usage.inputTokens + usage.outputTokens))
  const right = mean(answers.map(({ score }) => score))
  return {
    calls: mean(answers.map(({ usage }) => usage.calls)),
    tokens,
    frames: mean(answers.map(({ usage }) => usage.frames)),
    tokensPerRight: right === 0 ? null : tokens / right,
  }
}

export const costColumns = ['model calls', 'tokens', 'frames', 'tokens per right answer']

// As the cells of these columns.
export function costCells(lines: readonly SampleLine[], task: string | undefined): string[] {
  const cost = task === undefined ? undefined : computeTaskCost(lines, task)
  if (!cost) return costColumns.map(() => '-')
  return [cost.calls.toFixed(1), cost.tokens.toFixed(0), cost.frames.toFixed(1), cost.tokensPerRight?.toFixed(0) ?? '-']
}
