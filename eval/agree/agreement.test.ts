import { describe, expect, test } from 'vitest'
import { readScaled } from '../protocols/judge/scale.ts'
import { measureAgreement } from './agreement.ts'
import type { Item } from './judged-run.ts'
import { sampleItems, sheetRows } from './sheet/write-sheet.ts'
import { selfConsistency } from './swap.ts'

const verdicts = (text: string) => new Map([...text].map((letter, i) => [`r\n${i}`, 'ABC'.indexOf(letter)]))
const items = [...'ABCABC'].map((_, i) => ({ key: `r\n${i}`, video: `v${i}`, scale: 'grade' as const }))

test('a judge beside three people and their majority, which even votes do not have', () => {
  const [found] = measureAgreement(items, [
    { name: 'LLM', kind: 'judge', verdicts: verdicts('ABCABC') },
    { name: 'R1', kind: 'person', verdicts: verdicts('ABCABA') },
    { name: 'R2', kind: 'person', verdicts: verdicts('ABCBBB') },
    { name: 'R3', kind: 'person', verdicts: verdicts('ABCACC') },
  ])
  const pairs = found!.pairs.map(pair => `${pair.a}-${pair.b}`)
  expect(pairs).toEqual(['LLM-R1', 'LLM-R2', 'LLM-R3', 'LLM-majority', 'R1-R2', 'R1-R3', 'R2-R3'])
  expect(found!.ties).toEqual(['r\n5'])
  expect(found!.pairs[3]).toMatchObject({ share: { n: 5, value: 1 }, kappa: { value: 1 }, bias: { value: 0 } })
  expect(found!.raters.find(rater => rater.name === 'R1')?.accuracy.value).toBe(50)
})

test('a verdict is a word of its scale', () => {
  expect(['1', 'TRUE', '0', ''].map(word => readScaled('yes', word, 'x'))).toEqual([1, 1, 0, undefined])
  for (const word of ['constructor', '__proto__'])
    expect(() => readScaled('yes', word, 'x')).toThrow('is not a verdict')
})

test('a judge that flips at every third call', () => {
  // Two items, three repeats: calls 1 to 6, of which 3 and 6 are turned.
  const times = [
    new Map([
      ['a', 1],
      ['b', 1],
    ]),
    new Map([
      ['a', 0],
      ['b', 1],
    ]),
    new Map([
      ['a', 1],
      ['b', 0],
    ]),
  ]
  const found = selfConsistency(times)
  expect(found).toMatchObject({ repeats: 3, items: 2, unanimous: 0, flips: 1.5, quartiles: [50, 50, 50, 75, 100] })
  expect(found.deviation).toBeCloseTo(28.8675, 4)
  expect(selfConsistency([times[0]!, times[0]!])).toMatchObject({ unanimous: 1, flips: 0, deviation: 0 })
})

describe('a blind sheet', () => {
  const verdict = { step: 'open', scale: 'grade' as const }
  const made = Array.from({ length: 40 }, (_, i): Item => {
    const sample = {
      id: String(i),
      video: 'v',
      question: { text: 'Q' },
      groups: { type: i % 4 < 3 ? 'x' : 'y' },
      record: {},
    }
    const run = { name: `run-${i % 2}`, model: `secret-${i % 2}`, benchmark: { judge: { verdicts: () => [verdict] } } }
    return { ...verdict, key: String(i), run, answer: { sample, reply: 'red', hash: `h${i}` } } as unknown as Item
  })

  test('is the same for the same seed, and takes from each model and type alike', () => {
    const ids = (seed: number) => sampleItems(made, 9, seed).map(item => item.answer.sample.id)
    expect(ids(3)).toEqual(ids(3))
    expect(ids(3)).not.toEqual(ids(4))
    expect(new Set(ids(3)).size).toBe(9)
    const strata = sampleItems(made, 9, 3).map(item => `${item.run.model} ${item.answer.sample.groups.type}`)
    for (const one of new Set(strata)) expect(strata.filter(other => other === one)).toHaveLength(3)
  })

  test('names neither run nor model', () => {
    expect(JSON.stringify(sheetRows(sampleItems(made, 9, 3)))).not.toMatch(/secret|run-/)
  })
})
