import { expect, test } from 'vitest'
import { stamp } from '../core/evidence.ts'
import { rankText, weighQuotation } from './rank-text.ts'
import type { LikenessSums, SearchHit } from './search-hit.ts'

// Forty lines of a talk: likenesses of most lie around a mean, as any encoder gives them, on a scale of its own.
const lines = 40
const place = (at: number) => Math.SQRT2 * Math.sin(at * 7.3) // in deviations, in no order

function meaningOf(scale: { mean: number; spread: number }, special: Record<number, number> = {}) {
  const likeness = (at: number) => scale.mean + scale.spread * (special[at] ?? place(at))
  const rows = Array.from({ length: lines }, (_, at) => row(at, { likeness: likeness(at), lists: ['meaning'] }))
  const sums: LikenessSums = {
    rows: lines,
    sum: rows.reduce((sum, { likeness = 0 }) => sum + likeness, 0),
    squares: rows.reduce((sum, { likeness = 0 }) => sum + likeness ** 2, 0),
  }
  return {
    rows,
    sums,
    byWords: (at: number, score: number, coverage: number) => words(at, score, coverage, likeness(at)),
  }
}

function row(at: number, rest: Partial<SearchHit>): SearchHit {
  const evidence = {
    ...stamp({ span: { start: at, end: at + 1 }, track: 'speech', text: `line ${at}` }, 'v', 't'),
    id: `${at}`,
  }
  return { evidence, lists: [], score: 0, terms: [], coverage: 0, ...rest }
}

const words = (at: number, score: number, coverage: number, likeness: number) =>
  row(at, { lists: ['words'], score, coverage, likeness })

const ranked = (byWords: SearchHit[], { rows, sums }: { rows: SearchHit[]; sums: LikenessSums }) =>
  rankText(byWords, rows, sums, found => found.evidence.id).map(({ evidence }) => Number(evidence.id))

const scales = [
  { mean: 0.1, spread: 0.08 },
  { mean: 0.78, spread: 0.01 }, // E5 gives likenesses between 0.7 and 0.9
]

test.each(scales)('one stray word of a paraphrase does not go before the line that is meant ($mean)', scale => {
  const meaning = meaningOf(scale, { 7: 3.2, 12: 1 })
  expect(ranked([meaning.byWords(12, 3.6, 0.25)], meaning)[0]).toBe(7)
})

test.each(scales)('a quotation goes before a line that is only like it ($mean)', scale => {
  const meaning = meaningOf(scale, { 7: 3.2, 12: 0.5 })
  expect(ranked([meaning.byWords(12, 10, 1)], meaning)[0]).toBe(12)
  expect(ranked([meaning.byWords(12, 8, 0.8)], meaning)[0]).toBe(12)
})

test.each(scales)('a name that one line holds finds it, whatever its likeness ($mean)', scale => {
  const meaning = meaningOf(scale, { 7: 3.2, 12: -0.5 })
  expect(ranked([meaning.byWords(12, 3.2, 1)], meaning)[0]).toBe(12)
})

test.each(scales)('where no line stands out by its meaning, a word decides ($mean)', scale => {
  const meaning = meaningOf(scale, { 12: 0.5 })
  expect(ranked([], meaning)[0]).not.toBe(12)
  expect(ranked([meaning.byWords(12, 6, 0.5)], meaning)[0]).toBe(12)
})

test('a row without a vector, and rows that are all alike, are ranked by their words', () => {
  const none = { rows: [], sums: { rows: 0, sum: 0, squares: 0 } }
  expect(ranked([row(1, { score: 2, coverage: 0.5 }), row(2, { score: 4, coverage: 1 })], none)).toEqual([2, 1])
  const alike = meaningOf({ mean: 0.5, spread: 0 })
  expect(ranked([alike.byWords(9, 4, 1)], alike)[0]).toBe(9)
})

test.each(scales)('words side by side are a quotation, the same words apart are not ($mean)', scale => {
  const meaning = meaningOf(scale, { 7: 3.2, 12: 1.5 })
  const held = meaning.byWords(12, 6, 0.4)
  expect(ranked([{ ...held, terms: ['forty', 'pounds'] }], meaning)[0]).toBe(7)
  expect(ranked([{ ...held, terms: ['forty', 'pounds'], quotation: 6.2 }], meaning)[0]).toBe(12)
})

test.each(scales)('a stray word decides nothing between two lines of which one surely stands out ($mean)', scale => {
  const meaning = meaningOf(scale, { 7: 5, 12: 4.97 })
  expect(ranked([{ ...meaning.byWords(12, 3.2, 0.3), terms: ['crossing'] }], meaning)[0]).toBe(7)
})

test('a row that repeats one word without end is weighed in time that grows with its length', () => {
  const evidence = { text: 'a '.repeat(20_000) }
  const weigh = weighQuotation('a '.repeat(150), [{ text: 'a', rarity: 1, rows: 1 }])
  const began = process.cpuUsage()
  expect(weigh({ evidence, terms: ['a', 'a'] } as unknown as SearchHit)).toBe(150)
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(4) // 0.3 s; some 10 s if every run is counted again
})
