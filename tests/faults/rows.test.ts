import { expect, test } from 'vitest'
import { namedTests } from './named-tests.ts'
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
