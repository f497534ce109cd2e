import { formatScore, type ReportTable } from '../data/report-table.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { mean } from '../metrics/statistics/clusters.ts'

// What a run without all of its videos says: missing as wrong, missing left out, and between which numbers the whole lies. Per cent.
interface ThreeNumbers {
  n: number // that were asked for
  there: number // whose video was there
  strict: number // missing is wrong
  available: number | null // of those that were there
  high: number // were all missing right; were all wrong, it is `strict`
}

export interface Availability {
  samples: number
  there: number
  videos: number
  videosThere: number
  tasks: Record<string, ThreeNumbers>
  groups: { way: string; value: string; share: number; shareThere: number; tasks: Record<string, ThreeNumbers> }[]
  minutes?: { all: number; there: number } // mean length of the videos
  warnings: string[]
}

const worryingLoss = 0.2 // of the questions of a group

type AvailableLine = Pick<SampleLine, 'video' | 'groups' | 'grades' | 'duration' | 'missing'>

// Whether a line counts as there: for one task, or for all.
type IsThere<Line> = (line: Line, task?: string) => boolean

// Undefined if all were there: such a report shows none of it. A run misses videos, a file of replies misses replies.
export function availability<Line extends AvailableLine>(
  lines: readonly Line[],
  tasks: readonly string[],
  isThere: IsThere<Line> = hasVideo,
): Availability | undefined {
  const there = lines.filter(line => isThere(line))
  if (there.length === lines.length) return undefined
  const countOf = (of: readonly Line[]) => of.filter(line => isThere(line)).length
  const groups = groupLines(lines).map(({ way, value, of }) => ({
    way,
    value,
    share: of.length / lines.length,
    shareThere: there.length === 0 ? 0 : countOf(of) / there.length,
    tasks: computeThreeNumbers(of, tasks, isThere),
  }))
  return {
    samples: lines.length,
    there: there.length,
    videos: collectVideos(lines).size,
    videosThere: collectVideos(there).size,
    tasks: computeThreeNumbers(lines, tasks, isThere),
    groups,
    minutes: lengths(lines, there),
    warnings: groupLines(lines).flatMap(({ way, value, of }) => {
      const lost = of.length - countOf(of)
      if (lost <= worryingLoss * of.length) return []
      return [
        `${way} ${value} loses ${lost} of its ${of.length} questions: what is available is not the benchmark in small.`,
      ]
    }),
  }
}

export function hasVideo({ missing }: Pick<SampleLine, 'missing'>): boolean {
  return missing === undefined
}

function computeThreeNumbers<Line extends AvailableLine>(
  lines: readonly Line[],
  tasks: readonly string[],
  isThere: IsThere<Line>,
): Record<string, ThreeNumbers> {
  return Object.fromEntries(
    tasks.flatMap(task => {
      const askedLines = lines.filter(line => line.grades[task])
      if (askedLines.length === 0) return []
      const there = askedLines.filter(line => isThere(line, task))
      const sum = there.reduce((total, line) => total + (line.grades[task]?.score ?? 0), 0)
      const share = (points: number, of: number) => (100 * points) / of
      const numbers: ThreeNumbers = {
        n: askedLines.length,
        there: there.length,
        strict: share(sum, askedLines.length),
        available: there.length === 0 ? null : share(sum, there.length),
        high: share(sum + askedLines.length - there.length, askedLines.length),
      }
      return [[task, numbers] as const]
    }),
  )
}

function groupLines<Line extends AvailableLine>(lines: readonly Line[]): { way: string; value: string; of: Line[] }[] {
  const ways = [...new Set(lines.flatMap(line => Object.keys(line.groups)))]
  return ways.flatMap(way =>
    [...new Set(lines.flatMap(line => line.groups[way] || []))].map(value => ({
      way,
      value,
      of: lines.filter(line => line.groups[way] === value),
    })),
  )
}

function collectVideos(lines: readonly AvailableLine[]): Set<string> {
  return new Set(lines.map(line => line.video))
}

// As decoded, else as the data say; left out if a length is not known.
function lengths(all: readonly AvailableLine[], there: readonly AvailableLine[]): Availability['minutes'] {
  const meanOf = (lines: readonly AvailableLine[]) => {
    const byVideo = new Map(lines.map(line => [line.video, line.duration ?? line.missing?.stated]))
    const knownSeconds = [...byVideo.values()].filter(seconds => seconds !== undefined)
    return knownSeconds.length === 0 || knownSeconds.length < byVideo.size ? undefined : mean(knownSeconds) / 60
  }
  const [first, second] = [meanOf(all), meanOf(there)]
  return first === undefined || second === undefined ? undefined : { all: first, there: second }
}

const cells = ({ n, there, strict, available, high }: ThreeNumbers) => [
  `${there} of ${n}`,
  formatScore(strict),
  formatScore(available),
  boundsText({ strict, high }),
]

export function boundsText({ strict, high }: Pick<ThreeNumbers, 'strict' | 'high'>): string {
  return `${formatScore(strict)} to ${formatScore(high)}`
}

// The same of a file of replies that answers a part; nothing if it answers all.
export function answeredTable(found: Availability | undefined, titleOf: (task: string) => string): ReportTable[] {
  if (!found) return []
  return [
    {
      title: 'Answered in part',
      columns: ['', 'answered', 'strict (unanswered is wrong)', 'of the answered', 'bounds'],
      rows: Object.entries(found.tasks).map(([task, numbers]) => [titleOf(task), ...cells(numbers)]),
      notes: [
        `${found.there} of ${found.samples} are answered whole (${coverageText(found)}).`,
        'The strict number is the headline. Bounds: every unanswered question wrong, every one right.',
      ],
    },
  ]
}

// Strict, available and bounds, always together; nothing if every video was there.
export function availabilityTables(found: Availability | undefined, titleOf: (task: string) => string): ReportTable[] {
  if (!found) return []
  const columns = ['available', 'strict (missing is wrong)', 'of the available', 'bounds']
  const { samples, there, videos, videosThere, minutes, warnings } = found
  const lengths = minutes
    ? [`A video lasts ${formatScore(minutes.all)} min on average, an available one ${formatScore(minutes.there)} min.`]
    : []
  return [
    {
      title: 'Without the videos that were missing',
      columns: ['task', ...columns],
      rows: Object.entries(found.tasks).map(([task, numbers]) => [titleOf(task), ...cells(numbers)]),
      notes: [
        `${videosThere} of ${videos} videos were there, and with them ${there} of ${samples} questions (${coverageText(found)}).`,
        'The strict number is the headline. Bounds: every missing question wrong, every one right.',
        ...lengths,
        ...warnings,
      ],
    },
    {
      title: 'Without the videos that were missing, by group',
      columns: ['', '', 'share of all', 'share of the available', 'task', ...columns],
      rows: found.groups.flatMap(({ way, value, share, shareThere, tasks }) =>
        Object.entries(tasks).map(([task, numbers]) => [
          ...[way, value, `${formatScore(100 * share)} %`, `${formatScore(100 * shareThere)} %`],
          ...[titleOf(task), ...cells(numbers)],
        ]),
      ),
      notes: [],
    },
  ]
}

export function coverageText({ there, samples }: Pick<Availability, 'there' | 'samples'>): string {
  // Not rounded up: 99.96 % are not all.
  return `${(Math.floor((1000 * there) / samples) / 10).toFixed(1)} % covered`
}

const comparable = 0.95 // of the questions; below, no sentence compares with published numbers

export function isComparable(found: Pick<Availability, 'there' | 'samples'> | undefined): boolean {
  return found === undefined || found.there >= comparable * found.samples
}
