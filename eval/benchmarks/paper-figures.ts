// The figures of a benchmark's paper, as data. Their points are in pictures; what a table prints stands beside ours instead.
export type FigureAbout = About & (SweepFigure | Columns | Pairs | LengthFigure | Coverage | SubTasks)

interface About {
  id: string
  benchmark: string
  title: string
  source: string
}

// A metric against the number of frames.
export interface SweepFigure {
  of: 'frames'
  panels: {
    metric: string // "benchmark:metric" of another benchmark
    title: string
    unit?: string
    top?: number
    published?: { table: string; where?: Record<string, string> } // rows with these settings
  }[]
}

// Columns of a published table over its models; the first table of a split that was run.
export interface Columns {
  of: 'columns'
  kind: 'bars' | 'heat' | 'radar'
  tables: string[]
  unit: string
  top: number
  isOf: (key: string) => boolean
}

// Two metrics of each model side by side.
export interface Pairs {
  of: 'pairs'
  table: string
  metrics: Record<string, string>
}

// A metric, or the number of videos if there is none, by how long the videos are.
export interface LengthFigure {
  of: 'lengths'
  task?: string
  minutes: readonly (readonly [from: number, below: number])[]
  names?: Record<string, string> // of the official groups that hold these numbers, "from-below" to group.metric
}

interface Coverage {
  of: 'coverage'
}

export interface SubTasks {
  of: 'sub-tasks'
  tasks: readonly string[]
}

export const tenMinutes = [0, 10, 20, 30, 40, 50].map(from => [from, from + 10] as const)

// Of every benchmark.
export const lengthsOfVideos: Omit<LengthFigure, 'task'> & Pick<About, 'title' | 'source'> = {
  of: 'lengths',
  title: 'How long the videos are',
  source: 'of the run',
  minutes: [...tenMinutes, [60, 90], [90, 120], [120, Number.POSITIVE_INFINITY]],
}
