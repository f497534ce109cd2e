import { basename } from 'node:path'
import type { FaultRow } from '../../tests/faults/rows.ts'
import type { RanTest } from './report.ts'

export interface TableRow extends FaultRow {
  result: 'holds' | 'fails' | 'not run'
  passed: number
  failed: string[] // names
  skipped: string[] // names, which say why
  figures: string[]
  seconds: number
  files: string[]
}

// One line for each row: promise, tests, what they saw.
export function faultTable(rows: readonly FaultRow[], ran: readonly RanTest[]): { rows: TableRow[]; markdown: string } {
  const filled = rows.map(row => tableRow(row, ran))
  const head = ['row', 'fault', 'promise', 'tests', 'last figure, time', 'result']
  const lines = filled.map(row => [
    ...[row.id, row.fault, row.promise, testsOf(row)],
    [...row.figures, `${row.seconds.toFixed(1)} s`].join('; '),
    resultOf(row),
  ])
  const line = (cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return { rows: filled, markdown: [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n') }
}

function tableRow(row: FaultRow, ran: readonly RanTest[]): TableRow {
  const own = ran.filter(test => test.id === row.id)
  const names = (state: RanTest['state']) => own.filter(test => test.state === state).map(test => test.name)
  const passed = names('passed').length
  return {
    ...row,
    result: names('failed').length > 0 ? 'fails' : passed > 0 ? 'holds' : 'not run',
    passed,
    failed: names('failed'),
    skipped: names('skipped'),
    figures: [...new Set(own.flatMap(test => test.figure ?? []))],
    seconds: own.reduce((sum, test) => sum + test.seconds, 0),
    files: [...new Set(own.map(test => test.file))].sort(),
  }
}

function testsOf({ files, passed, failed, skipped }: TableRow): string {
  const links = files.map(file => `[${basename(file, '.test.ts')}](../${file})`)
  return `${passed + failed.length + skipped.length}: ${links.join(', ')}`
}

function resultOf({ result, failed, skipped }: TableRow): string {
  const why = result === 'fails' ? failed : skipped
  return why.length > 0 ? `${result}; ${result === 'fails' ? '' : 'skipped: '}${why.join('; ')}` : result
}
