import { expect, test } from 'vitest'
import { faultTable, readTestReport } from './table.ts'

const file = 'tests/faults/media.test.ts'
const report = (name: string) =>
  JSON.stringify({
    testResults: [
      {
        name,
        assertionResults: [{ title: 'fault 01: is refused', ancestorTitles: [], status: 'passed', duration: 1500 }],
      },
    ],
  })
const row = { id: '01', fault: 'an empty file', promise: 'Exit 3.' }

test('a report from another checkout gives links into this one', () => {
  const { markdown } = faultTable([row], readTestReport(report(`/elsewhere/longtake/${file}`), [file]))
  expect(markdown).toContain('| 1: [media](../tests/faults/media.test.ts) | 1.5 s | holds |')
})

test('a report on a test that is not here is refused with its path', () => {
  expect(() => readTestReport(report('/elsewhere/tests/old.test.ts'), [file])).toThrow('/elsewhere/tests/old.test.ts')
})
