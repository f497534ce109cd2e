import { describe, expect, test } from 'vitest'
import { oracle, withOracle } from '../../tests/support/oracle.ts'
import { misprints } from '../report/papers/paper-table.ts'
import { benchmarkNames, loadBenchmark } from './index.ts'

const tables = (await Promise.all(benchmarkNames.map(loadBenchmark))).flatMap(({ paper }) => paper?.published ?? [])
const publishedFor = (benchmark: string, split?: string) =>
  tables.filter(table => table.benchmark === benchmark && (split === undefined || table.split === split))

type Row = Record<string, number | string | null | { open: number; mcq: number }>
const file = '../data/published-results.json'

withOracle(file)('published tables hold every value of the sources', () => {
  const published = oracle<Record<string, { rows: Row[] }>>(file)
  for (const [key, { rows }] of Object.entries(published))
    test(key, () => {
      const [benchmark, split] = key.split('/')
      const [table] = publishedFor(benchmark!, split)
      expect(table!.rows.map(row => row.model)).toEqual(rows.map(row => row.model))
      rows.forEach((row, i) => {
        const found = table!.rows[i]!
        const numbers = Object.values(row).flatMap(value =>
          value && typeof value === 'object' ? Object.values(value) : value,
        )
        const kept = [
          ...Object.values(found.metrics),
          ...Object.values(found.groups).flatMap(group => Object.values(group)),
        ]
        const wanted = numbers.filter(value => typeof value === 'number')
        expect([...kept].sort(), String(row.model)).toEqual([...wanted].sort())
      })
    })
})

describe('published tables agree with themselves', () => {
  test('means that a source prints are those of its cells, but for known misprints', () => {
    expect(tables.flatMap(table => misprints(table).map(line => `${table.id}: ${line}`))).toEqual([
      'longshot:3: LLaVA-NeXT-Video-7B, Multimodal Tasks, average: printed 13.82, its own cells give 21.15.',
      'longshot:3: Qwen2.5-VL-7B, Overall: printed 18.39, its own cells give 18.31.',
      ...[
        'cg-bench:4: GPT4o F+FT, CRR: printed difference -0.3, its own cells give +0.3.',
        'cg-bench:4: GPT4o F+S+ST+FT, long-acc.: printed difference +3.0, its own cells give +3.1.',
        'cg-bench:10: GPT4o F+FT, long-acc.: printed difference +0.2, its own cells give -0.2.',
        'cg-bench:10: GPT4o F+S, long-acc.: printed difference +1.2, its own cells give +1.0.',
        'cg-bench:10: GPT4o F+S+ST, clue-acc.: printed difference +0.2, its own cells give +0.3.',
        'cg-bench:10: GPT4o F+S+ST+FT, CRR: printed difference +1.9, its own cells give +1.7.',
        'cg-bench:10: GPT4o F+S+ST+FT, OE-acc.: printed difference +1.3, its own cells give +1.4.',
        'allvb:3: Otter-V, [130, 140): printed difference -0.8, its own cells give -1.8.',
      ],
      'videoeval-pro:2: Video-XL, Overall MCQ: printed 38.2, its own cells give 37.1.',
    ])
  })

  test('VideoEval-Pro, Table 4: the note says which of the printed differences its cells do not give', () => {
    const [table] = publishedFor('videoeval-pro').filter(({ id }) => id === 'videoeval-pro:4')
    const [gpt, gemini, ...open] = table!.rows.slice(0, -1)
    const most = (rows: typeof open, key: string) => Math.max(...rows.map(row => Number(row.printed[key])))
    const found = table!.columns.map(({ key }) => (most(open, key) - most([gpt!, gemini!], key)).toFixed(1))
    const printed = table!.columns.map(({ key }) => table!.rows.at(-1)!.printed[key])
    expect(found).toEqual(['-12.1', '10.9', '14.1', '-2.5', '9.9'])
    expect(printed).toEqual(['-13.1', '+9.9', '+14.1', '-2.5', '+9.9'])
    expect(table!.note).toContain('-13.1 and +9.9 (MVBench) are as printed, the cells above give -12.1 and +10.9')
  })

  test('InfiniBench: overall is half the accuracy and half the score', () => {
    for (const { metrics } of publishedFor('infinibench', 'validation')[0]!.rows) {
      if ([metrics.accuracy, metrics.score, metrics.overall].includes(undefined)) continue
      expect(Math.abs(0.5 * metrics.accuracy! + 5 * metrics.score! - metrics.overall!)).toBeLessThan(0.06)
    }
  })

  test('CG-Bench: CRR is the smaller accuracy over the clue accuracy', () => {
    for (const table of publishedFor('cg-bench'))
      for (const { model, metrics } of table.rows) {
        const { long_acc, clue_acc, crr } = metrics
        if ([long_acc, clue_acc, crr].includes(undefined)) continue
        expect(
          Math.abs((Math.min(long_acc!, clue_acc!) / clue_acc!) * 100 - crr!),
          `${table.split} ${model}`,
        ).toBeLessThan(0.6)
      }
  })
})
