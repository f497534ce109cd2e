import { roundHalfEven } from '../../metrics/rounding.ts'
import { type Points, type Pooled, share } from './official.ts'
import { durationBuckets, taskCategories } from './tables.ts'

interface Share {
  accuracy: number
  samples: number
}

export interface ScoreTables {
  categories: Record<string, Share>
  subtasks: Record<string, Share & { category: string }>
  modality_breakdown: Record<string, Share>
  duration_breakdown: Record<string, Share & { range: string }>
  minutes: Record<string, Share>
}

// What the released scorer writes to {model}_score.json: accuracies in per cent with two decimals. The whole is the mean of the
// rounded categories that occur; tasks outside the categories appear nowhere but in the breakdowns.
export function scoreFile(
  pooled: Pooled,
): { overall: Share } & Pick<ScoreTables, 'categories' | 'subtasks'> & Partial<ScoreTables> {
  const percent = (value: number) => roundHalfEven(value * 100, 2)
  const { modality_breakdown, duration_breakdown, minutes: _, ...tables } = scoreTables(pooled, taskCategories, percent)
  const rounded = Object.values(tables.categories)
  const sum = rounded.reduce((total, { accuracy }) => total + accuracy, 0)
  return {
    overall: {
      accuracy: rounded.length === 0 ? 0 : roundHalfEven(sum / rounded.length, 2),
      samples: rounded.reduce((total, { samples }) => total + samples, 0),
    },
    ...tables,
    ...(pooled.byModality.size > 0 && { modality_breakdown }),
    ...(pooled.byDuration.size > 0 && { duration_breakdown }),
  }
}

// Accuracies by category (the mean of its tasks that occur), task, modality and duration.
export function scoreTables(
  { byTask, byModality, byDuration, byMinutes }: Pooled,
  table: Record<string, string[]>,
  percent: (share: number) => number,
): ScoreTables {
  const means = categoryMeans(byTask, table)
  const row = (points: Points): Share => ({ accuracy: percent(share(points)), samples: points.count })
  const range = (name: string) => durationBuckets.find(bucket => bucket.name === name)?.title ?? 'no duration given'
  return {
    categories: Object.fromEntries(
      means.map(({ category, mean, samples }) => [category, { accuracy: percent(mean), samples }]),
    ),
    subtasks: Object.fromEntries(
      means.flatMap(({ category, tasks }) => tasks.map(({ task, points }) => [task, { ...row(points), category }])),
    ),
    modality_breakdown: Object.fromEntries([...byModality].map(([name, points]) => [name, row(points)])),
    duration_breakdown: Object.fromEntries(
      [...byDuration].map(([name, points]) => [name, { ...row(points), range: range(name) }]),
    ),
    minutes: Object.fromEntries([...byMinutes].map(([name, points]) => [name, row(points)])),
  }
}

export interface CategoryMean {
  category: string
  tasks: { task: string; points: Points }[]
  mean: number
  samples: number
}

// Categories that occur, with the unrounded mean of their tasks.
export function categoryMeans(
  byTask: ReadonlyMap<string | null, Points>,
  table: Record<string, string[]>,
): CategoryMean[] {
  return Object.entries(table).flatMap(([category, names]) => {
    const tasks = names.flatMap(task => {
      const points = byTask.get(task)
      return points ? [{ task, points }] : []
    })
    if (tasks.length === 0) return []
    const mean = tasks.reduce((sum, { points }) => sum + share(points), 0) / tasks.length
    return [{ category, tasks, mean, samples: tasks.reduce((sum, { points }) => sum + points.count, 0) }]
  })
}
