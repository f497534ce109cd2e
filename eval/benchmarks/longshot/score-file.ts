import { roundHalfEven } from '../../metrics/rounding.ts'
import { type Points, type Pooled, share } from './official.ts'
import { durationBuckets, categories as taskCategories } from './tables.ts'

export interface Share {
  accuracy: number
  samples: number
}

// What the released scorer writes to {model}_score.json; accuracies in per cent with two decimals.
export interface ScoreFile {
  overall: Share
  categories: Record<string, Share>
  subtasks: Record<string, Share & { category: string }>
  modality_breakdown?: Record<string, Share>
  duration_breakdown?: Record<string, Share & { range: string }>
}

// A category is the mean of its tasks that occur, the whole the mean of the rounded categories that occur; tasks outside the
// categories appear nowhere but in the breakdowns.
export function scoreFile(pooled: Pooled): ScoreFile {
  const { byTask, byModality, byDuration } = pooled
  const subtasks: ScoreFile['subtasks'] = {}
  const categories: ScoreFile['categories'] = {}
  for (const { category, tasks, mean, samples } of categoryMeans(byTask, taskCategories)) {
    for (const { task, points } of tasks) subtasks[task] = { ...shown(points), category }
    categories[category] = { accuracy: percent(mean), samples }
  }
  const rounded = Object.values(categories)
  const sum = rounded.reduce((total, { accuracy }) => total + accuracy, 0)
  return {
    overall: {
      accuracy: rounded.length === 0 ? 0 : roundHalfEven(sum / rounded.length, 2),
      samples: rounded.reduce((total, { samples }) => total + samples, 0),
    },
    categories,
    subtasks,
    ...(byModality.size > 0 && {
      modality_breakdown: Object.fromEntries([...byModality].map(([name, points]) => [name, shown(points)])),
    }),
    ...(byDuration.size > 0 && {
      duration_breakdown: Object.fromEntries(
        [...byDuration].map(([name, points]) => [
          name,
          { ...shown(points), range: durationBuckets.find(bucket => bucket.name === name)?.title ?? name },
        ]),
      ),
    }),
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

function shown(points: Points): Share {
  return { accuracy: percent(share(points)), samples: points.count }
}

function percent(value: number): number {
  return roundHalfEven(value * 100, 2)
}
