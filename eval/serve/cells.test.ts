import { expect, test } from 'vitest'
import { sampleLine } from '../../tests/bench/sample-lines.ts'
import { askedQuestion, buildCell, fits } from './cells.ts'
import type { ConfigurationRow } from './configurations.ts'

const noCost = { questions: 0, seconds: 0, calls: 0, tokens: 0, frames: 0, money: 0 }
const configuration = (name: string, lines: ConfigurationRow['lines']): ConfigurationRow => ({
  configuration: name,
  name,
  run: `study/rows/${name}`,
  lines,
  cost: noCost,
  changes: [],
  settings: [],
  finished: true,
  tasks: [],
  differences: [],
  aim: [],
})
const step = (query: string) => ({
  round: 0,
  tool: 'search',
  input: { query },
  outcome: 'found' as const,
  evidence: ['r1'],
  notes: [],
  seconds: 1,
})
const asked = (id: string, score: number | null, query: string, confidence = 0.9) => {
  const line = sampleLine({ id, score, confidence })
  return { ...line, asks: line.asks.map(ask => ({ ...ask, steps: [step(query)] })) }
}
const base = configuration('base', [asked('q1', 1, 'a'), asked('q2', 1, 'b'), asked('q3', null, 'c')])
const row = configuration('row', [
  asked('q1', 1, 'a', 0.2),
  asked('q2', 0, 'x'),
  { ...asked('q4', 0, 'd'), error: 'The video is gone.' },
])
const cells = (id: string) => [base, row].flatMap(one => buildCell(one, id, [base, row]))

test('a cell says how a question went under a configuration, and whether that differs from the first', () => {
  expect(cells('q1').map(({ state, different, confidence }) => [state, different, confidence])).toEqual([
    ['right', false, 0.9],
    ['right', false, 0.2],
  ])
  expect(cells('q2').map(({ state, different }) => [state, different])).toEqual([
    ['right', false],
    ['wrong', true],
  ])
  expect(cells('q3').map(({ configuration, state }) => [configuration, state])).toEqual([['base', 'not judged']])
  expect(cells('q4').map(({ run, state }) => [run, state])).toEqual([['study/rows/row', 'error']])
})

test.each([
  ['all', ['q1', 'q2', 'q3', 'q4']],
  ['wrong', ['q2']],
  ['different', ['q2']],
  ['error', ['q4']],
  ['confidence', ['q1']],
] as const)('questions can be narrowed to %s', (show, ids) => {
  expect(['q1', 'q2', 'q3', 'q4'].filter(id => fits(cells(id), show))).toEqual(ids)
})

test('a question is shown under each configuration with where its calls part from the first', () => {
  const parts = (id: string) => askedQuestion([base, row], id)?.cells.map(cell => cell.asks[0]?.divergence?.kind)
  expect(parts('q1')).toEqual([undefined, undefined])
  expect(parts('q2')).toEqual([undefined, 'other input'])
  expect(askedQuestion([base, row], 'q4')?.cells[0]).toMatchObject({ error: 'The video is gone.' })
  expect(askedQuestion([base, row], 'q9')).toBeUndefined()
})
