// What one setting does at several numbers: the figure that papers draw over frames.
export interface FrameSweep {
  setting: string
  task: string
  points: { value: number; score: number; row: string }[] // by value
}

interface ScoredRow {
  name: string
  changes: string[]
  scores: Record<string, number> // by task
}

// Settings and options that rows change by themselves, to numbers; two or more make a figure.
export function sweepsIn(rows: readonly ScoredRow[], tasks: readonly string[]): FrameSweep[] {
  const settings = new Map<string, { value: number; row: ScoredRow }[]>()
  for (const row of rows) {
    const [only, ...others] = row.changes
    const [, setting, value] = /^(?:option )?([\w.]+)=(-?\d+(?:\.\d+)?)$/.exec(only ?? '') ?? []
    if (setting === undefined || others.length > 0) continue
    settings.set(setting, [...(settings.get(setting) ?? []), { value: Number(value), row }])
  }
  return [...settings].flatMap(([setting, found]) =>
    found.length < 2 ? [] : tasks.flatMap(task => buildSweeps(setting, task, found)),
  )
}

function buildSweeps(setting: string, task: string, found: readonly { value: number; row: ScoredRow }[]): FrameSweep[] {
  const points = found.flatMap(({ value, row }) => {
    const score = row.scores[task]
    return score === undefined ? [] : [{ value, score, row: row.name }]
  })
  return points.length < 2 ? [] : [{ setting, task, points: points.sort((a, b) => a.value - b.value) }]
}
