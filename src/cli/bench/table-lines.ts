import type { ReportTable } from '../../../eval/bench.ts'
import { oneLine } from '../sanitise.ts'
import { columns } from '../show/format.ts'
import type { Terminal } from '../terminal.ts'

// Tables of a report on the terminal.
export function tableLines(tables: readonly ReportTable[], { bold, dim }: Terminal): string[] {
  return tables.flatMap(({ title, columns: head, rows, notes }, at) => [
    ...(at === 0 ? [] : ['']),
    bold(oneLine(title)),
    ...columns([...(head.some(name => name !== '') ? [head] : []), ...rows].map(row => row.map(oneLine))),
    ...notes.map(note => dim(oneLine(note))),
  ])
}
