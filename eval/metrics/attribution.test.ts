import { expect, test } from 'vitest'
import { type MadeLine, sampleLine } from '../../tests/bench/sample-lines.ts'
import { attribute, type FaultCause } from './attribution.ts'

const browsing = new Set(['search'])
const at = (start: number) => ({ start, end: start + 2 })
const causeOf = (made: Omit<MadeLine, 'id' | 'score'>): FaultCause =>
  attribute([sampleLine({ id: '1', score: 0, ...made })], ['open'], 'kind', browsing).samples[0]!.cause

test('nothing in the index at the gold interval is another loss than nothing of it seen', () => {
  expect(causeOf({ indexed: [] })).toBe('not indexed')
  expect(causeOf({ indexed: ['speech'] })).toBe('not retrieved')
  expect(causeOf({ indexed: ['speech'], rows: [{ span: at(60), cited: true }] })).toBe('not retrieved')
})

test('a track that the question does not need does not count as its index', () => {
  expect(causeOf({ indexed: ['picture', 'text'], more: { modalities: ['speech'] } })).toBe('not indexed')
  // One that is not known needs any of them, also if every object has it.
  expect(causeOf({ indexed: ['picture'], more: { modalities: ['constructor'] } })).toBe('not retrieved')
})

test('what was found but not used was not looked at, unless a tool looked closer there', () => {
  const rows = [{ id: 'a', span: at(12), text: 'green salad' }]
  expect(causeOf({ indexed: ['speech'], rows })).toBe('not looked at')
  const line = sampleLine({ id: '1', score: 0, indexed: ['speech'], rows })
  line.asks[0]!.steps = [
    { round: 0, tool: 'transcribe', input: {}, outcome: 'found', evidence: ['a'], notes: [], seconds: 1 },
  ]
  expect(attribute([line], ['open'], 'kind', browsing).samples[0]!.cause).toBe('evidence present but answer wrong')
})

test('what was used but holds other words was misread', () => {
  const cited = (text: string) => ({ indexed: ['speech' as const], rows: [{ span: at(12), text, cited: true }] })
  expect(causeOf(cited('she bought queen ballad'))).toBe('misread')
  expect(causeOf(cited('and she bought green salad there'))).toBe('evidence present but answer wrong')
})

test('where the words are right and the judge says wrong, the judge is in question', () => {
  const judge = { by: 'chat/judge', replies: { open: 'B' }, failed: {}, seconds: 1 }
  expect(causeOf({ more: { judge, replies: { open: 'She bought green salad.' } } })).toBe('judge disagreement')
})

test('the table counts what is wrong and has gold intervals, by group', () => {
  const table = attribute(
    [
      sampleLine({ id: '1', score: 1 }),
      sampleLine({ id: '2', score: 0 }),
      sampleLine({ id: '3', score: null }),
      sampleLine({ id: '4', score: 0, more: { clues: [] } }),
      sampleLine({ id: '5', score: 0.2, indexed: ['text'], more: { groups: { kind: 'count' } } }),
    ],
    ['open'],
    'kind',
    browsing,
  )
  expect(table).toMatchObject({
    wrong: 2,
    withoutIntervals: 1,
    counts: { 'not indexed': 1, 'not retrieved': 1, misread: 0 },
    groups: { fact: { 'not indexed': 1 }, count: { 'not retrieved': 1 } },
  })
})
