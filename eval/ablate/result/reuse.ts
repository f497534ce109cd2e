import type { RowRecord, StudyRecord } from './records.ts'

// What a row made of the indexes and what was there already, by stage: how many videos.
export interface StageReuse {
  made: Record<string, number>
  reused: Record<string, number>
  seconds: number // that the making took
}

// The model calls that a row needed: those it made, and those whose replies another row had already.
export interface CallReuse {
  made: number
  reused: number
  roles: Record<string, { made: number; reused: number }>
}

// A result counts as made by the first row that needs it, unless it was there before the study began. It goes by what is on
// disk and not by what a process did, so that a study that was killed has the same counts.
export function stageReuse({ rows, started }: StudyRecord): Map<RowRecord, StageReuse> {
  const seen = new Set<string>()
  const ofRow = (stages: RowRecord['stages']) => {
    const reuse: StageReuse = { made: {}, reused: {}, seconds: 0 }
    const ownCalls: string[] = []
    for (const { video, stages: list } of keepLastByName(stages, one => one.video))
      for (const { stage, key, seconds, finished } of list) {
        const name = `${video} ${stage} ${key}`
        const isNew = finished >= started && !seen.has(name)
        const counts = isNew ? reuse.made : reuse.reused
        counts[stage] = (counts[stage] ?? 0) + 1
        if (isNew) reuse.seconds += seconds
        ownCalls.push(name)
      }
    for (const name of ownCalls) seen.add(name)
    return reuse
  }
  return new Map(rows.map(row => [row, ofRow(row.stages)]))
}

export function callReuse({ id, calls }: RowRecord): CallReuse {
  const reuse: CallReuse = { made: 0, reused: 0, roles: {} }
  for (const { used } of keepLastByName(calls, one => one.key))
    for (const { role, madeBy } of used) {
      const kind = madeBy === id ? 'made' : 'reused'
      const ofRole = reuse.roles[role] ?? { made: 0, reused: 0 }
      ofRole[kind]++
      reuse.roles[role] = ofRole
      reuse[kind]++
    }
  return reuse
}

function keepLastByName<T>(list: readonly T[], name: (one: T) => string): T[] {
  return [...new Map(list.map(one => [name(one), one])).values()]
}
