import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { z } from 'zod'
import { testFiles } from '../tests/support/test-files.ts'

const root = join(import.meta.dirname, '..')

// What a test file needs follows from the helper that it imports, directly or through other helpers.
const needs = [
  { name: 'Chromium', helper: 'tests/support/chromium.ts', without: 'skipped' },
  {
    name: 'PostgreSQL: one server for the whole run, a database for each file',
    helper: 'tests/support/postgres.ts',
    without: 'they fail',
  },
]
const minSeconds = 20 // of a file that needs nothing but time
const shownSeconds = 5 // shorter files are only counted

// The seconds that each test file took in the last run that was measured.
const durations = z
  .record(z.string(), z.number())
  .parse(JSON.parse(readFileSync(join(root, 'tests/durations.json'), 'utf8')))

// The table of CONTRIBUTING.md.
export function testNeedsTable(): string {
  const files = testFiles()
  const namedFiles = new Set<string>()
  const rows = needs.map(({ name, helper, without }) => {
    const users = files.filter(file => reaches(file, helper))
    for (const file of users) namedFiles.add(file)
    return row(name, without, users)
  })
  const long = files.filter(file => !namedFiles.has(file) && (durations[file] ?? 0) >= minSeconds)
  return [
    '| needs | without it | files, with the seconds of each | seconds |',
    '|---|---|---|---|',
    ...rows,
    row(`nothing else, but ${minSeconds} seconds or more`, '', long),
  ].join('\n')
}

function row(name: string, without: string, files: readonly string[]): string {
  const seconds = (file: string) => durations[file] ?? 0
  const byTime = [...files].sort((a, b) => seconds(b) - seconds(a) || (a < b ? -1 : 1))
  const shownFiles = byTime.filter(file => seconds(file) >= shownSeconds)
  const rest = byTime.length - shownFiles.length
  const names = shownFiles.map(file => `${file.replace(/\.test\.ts$/, '')} ${seconds(file)}`)
  const total = byTime.reduce((sum, file) => sum + seconds(file), 0)
  return `| ${[name, without, [...names, ...(rest > 0 ? [`${rest} shorter ones`] : [])].join(', '), total].join(' | ')} |`
}

function reaches(file: string, helper: string, seen = new Set<string>()): boolean {
  if (file === helper) return true
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .some(path => path.startsWith('tests/') && existsSync(join(root, path)) && reaches(path, helper, seen))
}
