import { basename } from 'node:path'
import { z } from 'zod'
import type { FaultRow } from './rows.ts'

export interface RanTest {
  id: string // of the row
  name: string
  file: string
  state: 'passed' | 'failed' | 'skipped'
  seconds: number
  figure?: string
}

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(), // of the file
      assertionResults: z.array(
        z.object({
          title: z.string(),
          ancestorTitles: z.array(z.string()),
          status: z.string(),
          duration: z.number().nullish(), // milliseconds
          meta: z.object({ figure: z.string().optional() }).optional(),
        }),
      ),
    }),
  ),
})

// The tests of fault rows in a report of vitest: those whose own name, or that of a group around them, begins with an id.
// The report may come from another checkout: its files are those of `known` that its paths end with.
export function readTestReport(text: string, known: readonly string[]): RanTest[] {
  return Report.parse(JSON.parse(text)).testResults.flatMap(({ name: path, assertionResults }) => {
    const file = known.find(one => path.endsWith(`/${one}`))
    return assertionResults.flatMap(test => {
      const names = [...test.ancestorTitles, test.title]
      const id = names.flatMap(name => /^fault (\d+): /.exec(name)?.[1] ?? [])[0]
      if (!id) return []
      const name = names.at(-1)?.replace(/^fault \d+: /, '') ?? ''
      const state = test.status === 'passed' ? 'passed' : test.status === 'failed' ? 'failed' : 'skipped'
      const seconds = (test.duration ?? 0) / 1000
      if (file === undefined) throw new Error(`The report has a test of fault ${id} in ${path}, which is not here.`)
      return [{ id, name, file, state, seconds, figure: test.meta?.figure }]
    })
  })
}

interface TableRow extends FaultRow {
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
  const rowTests = ran.filter(test => test.id === row.id)
  const names = (state: RanTest['state']) => rowTests.filter(test => test.state === state).map(test => test.name)
  const passed = names('passed').length
  return {
    ...row,
    result: names('failed').length > 0 ? 'fails' : passed > 0 ? 'holds' : 'not run',
    passed,
    failed: names('failed'),
    skipped: names('skipped'),
    figures: [...new Set(rowTests.flatMap(test => test.figure ?? []))],
    seconds: rowTests.reduce((sum, test) => sum + test.seconds, 0),
    files: [...new Set(rowTests.map(test => test.file))].sort(),
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
