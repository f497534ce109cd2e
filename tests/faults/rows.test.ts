import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { namedTests, repository } from './named-tests.ts'
import { faultRows } from './rows.ts'

const ids = new Set(faultRows.map(row => row.id))
const tests = namedTests()

test('every row of the fault matrix has a test', () => {
  const tested = new Set(tests.map(one => one.id))
  expect(faultRows.filter(row => !tested.has(row.id))).toEqual([])
})

test('no test names a row that does not exist', () => {
  expect(tests.filter(one => !ids.has(one.id))).toEqual([])
})

test('the rows are numbered 01 to 33, each once', () => {
  expect(faultRows.map(row => Number(row.id))).toEqual(Array.from({ length: 33 }, (_, at) => at + 1))
})

test('the table in docs/reliability.md links each row to files that test it, by their names', () => {
  const written = readFileSync(join(repository, 'docs/reliability.md'), 'utf8').split('\n')
  const links = written.flatMap(line => {
    const id = /^\| (\d\d) \|/.exec(line)?.[1]
    return id ? [...line.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)].map(([, name, file]) => ({ id, name, file })) : []
  })
  expect(new Set(links.map(({ id }) => id))).toEqual(ids)
  const isThere = ({ id, name, file }: (typeof links)[number]) =>
    tests.some(one => one.id === id && one.file === file) && basename(file ?? '', '.test.ts') === name
  expect(links.filter(link => !isThere(link))).toEqual([])
})
