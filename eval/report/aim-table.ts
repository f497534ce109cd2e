import type { ReportTable } from '../data/report-table.ts'
import type { Aim } from '../metrics/aim.ts'
import type { Accuracy } from '../metrics/statistics/accuracy.ts'
import { percentText } from './numbers.ts'

// The same table in the report of a run, the comparison of two and a study: a line for each task of each.
export function aimTable(runs: readonly { name?: string; aim: readonly Aim[] }[]): ReportTable {
  const isNamed = runs.some(({ name }) => name !== undefined)
  return {
    title: 'Where the evidence landed',
    columns: [
      ...(isNamed ? ['run'] : []),
      ...['task', 'n', 'landed', 'width, s', 'right where landed', 'right where missed', 'tokens', 'frames'],
    ],
    rows: runs.flatMap(({ name, aim }) =>
      aim.map(({ task, n, hits, width, landed, missed, tokens, frames }) => [
        ...(isNamed ? [name ?? ''] : []),
        task,
        String(n),
        `${hits} (${percentText((100 * hits) / n)} %)`,
        width === null ? '-' : width.toFixed(1),
        withInterval(landed),
        withInterval(missed),
        tokens.toFixed(0),
        frames.toFixed(1),
      ]),
    ),
    notes: [
      'Questions with a known place. Landed: a cited row lies there, within a second. Width: seconds of video that an answer cites, the median. Strict scores in per cent with 95 % intervals; tokens and frames are means of a question.',
    ],
  }
}

function withInterval(found: Accuracy | null): string {
  if (!found) return '-'
  const { accuracy, low, high, n } = found
  return `${percentText(accuracy)} (${percentText(low)}-${percentText(high)}), n ${n}`
}
