import type { ReportTable } from '../data/report-table.ts'
import type { Availability, ThreeNumbers } from './availability.ts'

const points = (value: number | null | undefined) => (value === null || value === undefined ? '-' : value.toFixed(1))

const cells = ({ n, there, strict, available, high }: ThreeNumbers) => [
  `${there} of ${n}`,
  points(strict),
  points(available),
  boundsText({ strict, high }),
]

export function boundsText({ strict, high }: Pick<ThreeNumbers, 'strict' | 'high'>): string {
  return `${points(strict)} to ${points(high)}`
}

// The same of a file of replies that answers a part; nothing where it answers all.
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

// Strict, available and bounds, always together; nothing where every video was there.
export function availabilityTables(found: Availability | undefined, titleOf: (task: string) => string): ReportTable[] {
  if (!found) return []
  const columns = ['available', 'strict (missing is wrong)', 'of the available', 'bounds']
  const { samples, there, videos, videosThere, minutes, warnings } = found
  const lengths = minutes
    ? [`A video lasts ${points(minutes.all)} min on average, an available one ${points(minutes.there)} min.`]
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
          ...[way, value, `${points(100 * share)} %`, `${points(100 * shareThere)} %`],
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
