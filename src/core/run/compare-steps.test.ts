import { expect, test } from 'vitest'
import { type ComparedStep, compareSteps } from './compare-steps.ts'

const node = (name: string): ComparedStep => ({ node: name, evidence: [] })
const call = (input: object, evidence = ['s1'], tool = 'search'): ComparedStep => ({
  node: 'act',
  tool,
  input,
  outcome: evidence.length > 0 ? 'found' : 'nothing',
  evidence,
})
const run = [node('overview'), node('plan'), call({ query: 'room', k: 8 }), node('plan'), node('draft')]
const withThird = (step: ComparedStep) => run.with(2, step)

test('a run has no divergence from itself, whatever the order of the keys of an input', () => {
  const twin = withThird(call({ k: 8, query: 'room' }))
  const { divergence, pairs } = compareSteps(run, twin)
  expect(divergence).toBeUndefined()
  expect(pairs).toEqual(run.map((_, at) => ({ a: at, b: at, same: true })))
})

test.each([
  [withThird(call({ query: 'room', k: 8 }, ['s1'], 'timeline')), { at: 2, kind: 'other call' }],
  [withThird(node('draft')), { at: 2, kind: 'other call' }],
  [withThird(call({ query: 'rooms', k: 8 })), { at: 2, kind: 'other input' }],
  [withThird(call({ query: 'room', k: 8 }, ['s2'])), { at: 2, kind: 'other result' }],
  [withThird(call({ query: 'room', k: 8 }, [])), { at: 2, kind: 'other result' }],
  [run.slice(0, 2), { at: 2, kind: 'ended earlier', ended: 'b' }],
  [[...run, node('check')], { at: 5, kind: 'ended earlier', ended: 'a' }],
  [[], { at: 0, kind: 'ended earlier', ended: 'b' }],
])('the first step that is not equal is named with how: %#', (other, divergence) => {
  expect(compareSteps(run, other).divergence).toEqual(divergence)
})

test('what a tool says counts only where it gave no row', () => {
  const said = (text: string, evidence: string[]) => [{ ...call({ about: 'x' }, evidence), text }]
  expect(compareSteps(said('1 row', ['s1']), said('one row', ['s1'])).divergence).toBeUndefined()
  expect(compareSteps(said('4', []), said('5', [])).divergence?.kind).toBe('other result')
})

test('after the divergence equal steps stand side by side again, and others beside what they replace', () => {
  const other = [
    node('overview'),
    node('plan'),
    call({ query: 'hall' }),
    call({ query: 'door' }),
    node('plan'),
    node('draft'),
    node('check'),
  ]
  expect(compareSteps(run, other).pairs.slice(2)).toEqual([
    { a: 2, b: 2, same: false },
    { b: 3, same: false },
    { a: 3, b: 4, same: true },
    { a: 4, b: 5, same: true },
    { b: 6, same: false },
  ])
})

test('every step of both runs is in one pair, in its order, whatever the lists are', () => {
  let seed = 7
  const random = (max: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % max
  }
  for (let time = 0; time < 200; time++) {
    const list = () => Array.from({ length: random(9) }, () => node('abc'[random(3)] ?? ''))
    const [a, b] = [list(), list()]
    const { pairs, divergence } = compareSteps(a, b)
    expect(pairs.flatMap(pair => pair.a ?? [])).toEqual(a.map((_, at) => at))
    expect(pairs.flatMap(pair => pair.b ?? [])).toEqual(b.map((_, at) => at))
    for (const pair of pairs.filter(({ same }) => same)) expect(a[pair.a ?? -1]).toEqual(b[pair.b ?? -1])
    expect(divergence === undefined).toBe(JSON.stringify(a) === JSON.stringify(b))
  }
})
