import { expect, test } from 'vitest'
import { sampleLine } from '../../tests/bench/sample-lines.ts'
import { markdown } from '../data/report-table.ts'
import { aimTable } from '../report/aim-table.ts'
import { measureAims } from './aim.ts'
import { wilson } from './statistics/accuracy.ts'

// The place of each question is 10 to 20 s.
const cited = (start: number, end: number) => ({ span: { start, end }, cited: true })
const lines = [
  sampleLine({ id: '1', score: 1, rows: [cited(12, 14), cited(13, 16)] }), // 4 s, at the place
  sampleLine({ id: '2', score: 1, rows: [cited(20.5, 22.5), cited(40, 48)] }), // 10 s, within a second of it
  sampleLine({ id: '3', score: 0, rows: [cited(2, 8)] }), // 6 s, beside it
  sampleLine({ id: '4', score: 0, rows: [{ span: { start: 12, end: 14 } }] }), // seen there, and not cited
  sampleLine({ id: '5', score: null, rows: [cited(0, 100)] }), // the whole video; not judged
  sampleLine({ id: '6', score: 1, rows: [cited(12, 14)], more: { clues: [] } }), // its place is not known
]

test('the evidence of an answer lands where the answer is, or beside it', () => {
  const [aim, ...others] = measureAims(lines, ['open', 'miou'])
  const share = (right: number, n: number) => {
    const { low, high } = wilson(right / n, n)
    return {
      n,
      accuracy: expect.closeTo((100 * right) / n),
      low: low * 100,
      high: high * 100,
      interval: 'questions alone',
    }
  }
  expect(others).toEqual([])
  expect(aim).toEqual({
    task: 'open',
    n: 5,
    hits: 3,
    width: 8,
    tokens: 0,
    frames: 0, // of 4, 10, 6 and 100 s
    landed: share(2, 3),
    missed: share(0, 2),
  })
})

test('tokens and pictures are means of the questions with a known place', () => {
  const [line] = lines
  const spent = (tokens: number, frames: number) => ({
    ...line!,
    asks: line!.asks.map(ask => ({ ...ask, usage: { ...ask.usage, inputTokens: tokens, outputTokens: 5, frames } })),
  })
  expect(measureAims([spent(100, 4), spent(300, 9)], ['open'])[0]).toMatchObject({ tokens: 205, frames: 6.5 })
})

test('a question whose asking failed is left out, and without any known place there is no table', () => {
  const failed = { ...lines[0]!, asks: lines[0]!.asks.map(ask => ({ ...ask, error: 'stopped' })) }
  expect(measureAims([failed, lines[5]!], ['open'])).toEqual([])
  expect(aimTable([{ aim: [] }]).rows).toEqual([])
})

test('the table says it in the same cells everywhere, with the run where there are several', () => {
  const aim = measureAims(lines, ['open'])
  const row = ['open', '5', '3 (60.0 %)', '8.0', '66.7 (20.8-93.9), n 3', '0.0 (0.0-65.8), n 2', '0', '0.0']
  expect(aimTable([{ aim }]).rows).toEqual([row])
  expect(aimTable([{ name: 'one', aim }]).rows).toEqual([['one', ...row]])
  expect(markdown('run', [aimTable([{ aim }])])).toContain('| open | 5 | 3 (60.0 %) | 8.0 |')
})
