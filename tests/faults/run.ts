import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { madeBy, replaceBlock } from '../../scripts/doc-block.ts'
import { absentAs } from '../../src/core/errors.ts'
import { namedTests, repository } from './named-tests.ts'
import { faultRows } from './rows.ts'
import { faultTable, type RanTest, readTestReport } from './table.ts'

// Runs the tests of the fault matrix, prints one line for each row, and with --write puts the table into docs/reliability.md.
// --report takes what a run of the whole suite has left (vitest's --reporter=json) and runs nothing.
// npm run faults -- [--only 02,14] [--report FILE] [--write] [--json]
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    report: { type: 'string' },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const wantedIds = values.only?.split(',')
const unknown = wantedIds?.find(id => !faultRows.some(row => row.id === id))
if (unknown) throw new Error(`--only takes ids of rows (01 to ${faultRows.at(-1)?.id}), not "${unknown}".`)
if (wantedIds && values.write) throw new Error('--write needs every row: leave out --only.')
const rows = faultRows.filter(row => !wantedIds || wantedIds.includes(row.id))

const testFiles = [...new Set(namedTests().map(test => test.file))]
const ran =
  values.report === undefined
    ? await runNamed(rows.map(row => row.id))
    : readTestReport(await readFile(values.report, 'utf8'), testFiles)
const table = faultTable(rows, ran)
if (values.json) console.log(JSON.stringify({ schemaVersion: 1, rows: table.rows }, null, 2))
else console.log(table.markdown)
if (values.write) {
  const content = `${madeBy('npm run faults -- --write')}\n\n${table.markdown}`
  await replaceBlock('reliability.md', '<!-- made: faults -->', '<!-- end -->', content)
}
process.exitCode = table.rows.every(row => row.result === 'holds') ? 0 : 1

// Exactly the tests whose name begins with one of these ids.
async function runNamed(ids: string[]): Promise<RanTest[]> {
  const files = [...new Set(namedTests().flatMap(({ id, file }) => (ids.includes(id) ? [file] : [])))]
  if (files.length === 0) return []
  const folder = await mkdtemp(join(tmpdir(), 'longtake-faults-'))
  try {
    const report = join(folder, 'report.json')
    const words = ['run', ...files, '-t', `fault (${ids.join('|')}): `]
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const child = spawn(join(repository, 'node_modules/.bin/vitest'), [...words, ...reporters], {
      cwd: repository,
      stdio: ['ignore', process.stderr, process.stderr],
    })
    const [code, signal] = await once(child, 'close')
    const text = await readFile(report, 'utf8').catch(absentAs(undefined))
    if (text === undefined) throw new Error(`vitest ended with ${signal ?? `code ${code}`} and without a report.`)
    return readTestReport(text, files)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
