import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'

// npx tsx scripts/test-durations.ts REPORT: writes to tests/durations.json how many seconds each test file took in a whole run
// (npm test -- --reporter=json --outputFile.json=REPORT), and to CONTRIBUTING.md what they need. The longest begin first
// (tests/support/longest-first.ts).
const Report = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
})

const root = join(import.meta.dirname, '..')
const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Name the report of a run: npx tsx scripts/test-durations.ts REPORT')
const files = Report.parse(JSON.parse(readFileSync(path, 'utf8'))).testResults
const durations = files
  .map(({ name, startTime, endTime }): [string, number] => [
    relative(root, name),
    Math.round((endTime - startTime) / 1000),
  ])
  .sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(join(root, 'tests', 'durations.json'), `${JSON.stringify(Object.fromEntries(durations), null, 2)}\n`)
const { current } = await import('./write-docs.ts')
writeFileSync(join(root, 'CONTRIBUTING.md'), await current('CONTRIBUTING.md'))
console.log(`${files.length} files, ${durations.reduce((sum, [, seconds]) => sum + seconds, 0)} s in all.`)
