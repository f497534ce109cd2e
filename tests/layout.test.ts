import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import durations from './durations.json' with { type: 'json' }
import { testFiles } from './support/test-files.ts'

const root = join(import.meta.dirname, '..')
const beside = testFiles().filter(file => !file.startsWith('tests/'))

test('a test beside the sources tests a file of its folder: it has its name, or imports it; what goes through several stands in tests/', () => {
  expect(beside.filter(file => !hasItsName(file) && !importsItsFolder(file))).toEqual([])
})

test('tests/durations.json knows nine of ten test files (npx tsx scripts/test-durations.ts REPORT)', () => {
  const files = testFiles()
  expect(files.filter(file => file in durations).length).toBeGreaterThan(0.9 * files.length)
})

test('continuous integration runs the test command of the README', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(read('README.md')).toContain('`npm test`')
  expect(read('.ci/run')).toMatch(/^npm test -- /m)
})

function hasItsName(file: string): boolean {
  const name = join(root, dirname(file), basename(file, '.test.ts'))
  return ['', '.ts', '.tsx'].some(ending => existsSync(name + ending))
}

function importsItsFolder(file: string): boolean {
  const folder = dirname(file)
  const text = readFileSync(join(root, file), 'utf8')
  const imported = [...text.matchAll(/(?:from |import\(|new URL\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(folder, path),
  )
  return imported.some(path => normalize(path).startsWith(`${folder}/`))
}
