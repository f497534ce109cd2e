import { isObject } from '../../../src/core/json.ts'
import { isTrue } from '../../python/value.ts'
import { type Dict, get, item, iterate, number, ReleasedScorerError } from './python-error.ts'
import { durationBuckets, modalityGroups, paperDurations, taskAliases } from './tables.ts'

// Points by weight, pooled over all criteria of all samples of a group; `count` is the number of samples.
export interface Points {
  obtained: number
  total: number
  count: number
}

export interface Pooled {
  byTask: Map<string | null, Points>
  byModality: Map<string, Points>
  byDuration: Map<string, Points>
  byMinutes: Map<string, Points> // as the paper's table cuts them; the released scorer does not
}

// As released: a criterion that is met and no penalty adds its weight, every positive weight counts to the total. Penalties
// that the answer runs into cost nothing, a failed judgment (null) is not met, and any non-empty value is met.
export function poolOfficial(samples: readonly unknown[]): Pooled {
  return pool(samples, (sample, id) => {
    try {
      return {
        task: sampleTask(sample),
        points: samplePoints(sample),
        modalities: collectModalities(sample),
        duration: classifyDuration(sample),
      }
    } catch (error) {
      if (!(error instanceof ReleasedScorerError)) throw error
      throw new ReleasedScorerError(error.kind, error.message, id)
    }
  })
}

interface SamplePoints {
  task: string | null
  points: { obtained: number; total: number }
  modalities: Set<string>
  duration: string
}

export function pool(samples: readonly unknown[], read: (sample: unknown, id: string) => SamplePoints): Pooled {
  const pooled: Pooled = { byTask: new Map(), byModality: new Map(), byDuration: new Map(), byMinutes: new Map() }
  for (const [i, sample] of samples.entries()) {
    const { task, points, modalities, duration } = read(sample, readSampleId(sample) ?? `sample ${i}`)
    addPoints(pooled.byTask, task, points)
    for (const modality of modalities) addPoints(pooled.byModality, modality, points)
    addPoints(pooled.byDuration, duration, points)
    const minutes = paperDuration(sample)
    if (minutes !== undefined) addPoints(pooled.byMinutes, minutes, points)
  }
  return pooled
}

function paperDuration(sample: unknown): string | undefined {
  const { duration }: Dict = isObject(sample) ? sample : {}
  if (typeof duration !== 'number') return undefined
  return paperDurations.find(({ from, to }) => from <= duration && duration < to)?.name
}

export function readSampleId(sample: unknown): string | undefined {
  const { sample_id: id }: Dict = isObject(sample) ? sample : {}
  return typeof id === 'string' ? id : undefined
}

export function samplePoints(sample: unknown): { obtained: number; total: number } {
  let obtained = 0
  let total = 0
  for (const turn of iterate(item(sample, 'conversations'))) {
    if (item(turn, 'role') !== 'assistant') continue
    for (const criterion of iterate(item(turn, 'criteria'))) {
      if (isTrue(item(criterion, 'criteria_met')) && !isTrue(item(criterion, 'is_penalty')))
        obtained += number(item(criterion, 'weight'), type => `unsupported operand type(s) for +=: 'int' and '${type}'`)
      const weight = number(
        item(criterion, 'weight'),
        type => `'>' not supported between instances of '${type}' and 'int'`,
      )
      if (weight > 0) total += weight
    }
  }
  return { obtained, total }
}

export function share(points: Points): number {
  return points.total > 0 ? points.obtained / points.total : 0
}

export function sampleTask(sample: unknown): string | null {
  const task = get(sample, 'task')
  if (task === undefined) return 'unknown'
  return task === null ? null : withoutAlias(String(task))
}

export function withoutAlias(task: string): string {
  return (Object.hasOwn(taskAliases, task) ? taskAliases[task] : undefined) ?? task
}

export function collectModalities(sample: unknown): Set<string> {
  const groups = new Set<string>()
  for (const turn of iterate(item(sample, 'conversations'))) {
    if (item(turn, 'role') !== 'user') continue
    const tags = get(turn, 'modalities')
    if (tags === undefined) continue
    for (const tag of iterate(tags)) groups.add(modalityGroups[String(tag)] ?? 'visual')
  }
  return groups
}

// What is below 0 or no number at all (NaN) falls through to the last bucket.
export function classifyDuration(sample: unknown): string {
  const seconds = number(
    get(sample, 'duration') ?? (isObject(sample) && 'duration' in sample ? null : 0),
    type => `'<=' not supported between instances of 'int' and '${type}'`,
  )
  return durationBuckets.find(({ from, to }) => from <= seconds && seconds < to)?.name ?? 'long'
}

export function addPoints<Key>(groups: Map<Key, Points>, key: Key, points: { obtained: number; total: number }): void {
  const sum = groups.get(key) ?? { obtained: 0, total: 0, count: 0 }
  groups.set(key, { obtained: sum.obtained + points.obtained, total: sum.total + points.total, count: sum.count + 1 })
}
