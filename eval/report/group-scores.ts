import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { ReportTable } from '../data/report-table.ts'
import type { Scores, Scoring } from '../data/sample.ts'
import type { Accuracy } from '../metrics/statistics/accuracy.ts'
import { byNumbers } from './numbers.ts'

// The numbers of a scorer by one way of grouping.
export interface GroupScores {
  way: string
  values: Record<string, Record<string, number>> // by group and metric
}

export function groupScores(
  { about: { groupedBy } }: Pick<Benchmark, 'about'>,
  { groups = {} }: Partial<Scores>,
): GroupScores[] {
  const [only, ...others] = groupedBy
  const ways = only !== undefined && others.length === 0 ? { [only]: groups } : groups
  return Object.entries(ways).map(([way, of]) => ({
    way,
    values: Object.fromEntries(Object.entries(of).map(([group, row]) => [group, readNumbers(row)])),
  }))
}

// A number, or an accuracy with its interval and the count that it is of.
function readNumbers(row: unknown): Record<string, number> {
  const cells = typeof row === 'object' && row !== null ? Object.entries(row) : []
  const found = cells.flatMap(([name, cell]) => {
    if (typeof cell === 'number') return [[name, cell] as const]
    const { n, accuracy } = (cell ?? {}) as Partial<Accuracy>
    return n === undefined || accuracy === undefined
      ? []
      : ([
          ['n', n],
          [name, accuracy],
        ] as const)
  })
  return Object.fromEntries(found)
}

// What the groups hold, and what of it is answered.
export interface GroupCounts {
  whole: readonly GroupScores[]
  answered: readonly GroupScores[]
}

// A table for each way; counts come first, and a metric that no group has is left out. Counts of a part are "n of N".
export function buildGroupTables(
  scores: readonly GroupScores[],
  scoring: Scoring,
  title: (metric: string) => string,
  counted?: GroupCounts,
): ReportTable[] {
  const countIn = (of: readonly GroupScores[] | undefined, way: string, group: string, name: string) =>
    of?.find(one => one.way === way)?.values[group]?.[name]
  return scores.map(({ way, values }) => {
    const rows = byNumbers(Object.entries(values), ([group]) => group)
    const names = [...new Set(rows.flatMap(([, row]) => Object.keys(row)))]
    const isCount = (name: string) => rows.every(([, row]) => Number.isInteger(row[name] ?? 0)) && counts.has(name)
    const columns = [...names.filter(isCount), ...names.filter(name => !isCount(name))]
    return {
      title: `By ${way}, ${scoring}`,
      columns: [way, ...columns.map(title)],
      rows: rows.map(([group, row]) => [
        group,
        ...columns.map(name => {
          const whole = isCount(name) && wholes.has(name) ? countIn(counted?.whole, way, group, name) : undefined
          const answered = countIn(counted?.answered, way, group, name) ?? 0
          if (whole !== undefined && answered < whole) return `${answered} of ${whole}`
          return formatCell(row[name], isCount(name))
        }),
      ]),
      notes: [],
    }
  })
}

const wholes = new Set(['n', 'samples'])
const counts = new Set([...wholes, 'missing', 'failed', 'judged'])

function formatCell(value: number | undefined, isCount: boolean): string {
  return value === undefined ? '-' : value.toFixed(isCount ? 0 : 2)
}
