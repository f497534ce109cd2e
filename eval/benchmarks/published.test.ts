import { describe, expect, test } from 'vitest'
import { oracle, withOracle } from '../../tests/support/oracle.ts'
import { roundHalfEven } from '../metrics/rounding.ts'
import { benchmarkNames, loadBenchmark } from './index.ts'

const tables = (await Promise.all(benchmarkNames.map(loadBenchmark))).flatMap(({ published = [] }) => published)
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
        const gap = typeof row.gap === 'number' ? [row.gap] : []
        expect([...kept.filter(value => value !== null), ...gap].sort(), String(row.model)).toEqual([...wanted].sort())
      })
    })
})

describe('published tables agree with themselves', () => {
  test('LongShOT: categories are means of tasks, and the whole of categories, but for two known misprints', () => {
    const tasks = publishedFor('longshot')[1]!.rows
    const order = Object.keys(tasks[0]!.groups)
    const misprints: string[] = []
    for (const [i, row] of publishedFor('longshot')[0]!.rows.entries()) {
      const categories = Object.values(row.groups).map(group => group.accuracy ?? 0)
      categories.forEach((value, j) => {
        const of = order.slice(j * 4, j * 4 + 4).map(task => tasks[i]!.groups[task]!.accuracy ?? 0)
        if (Math.abs(of.reduce((a, b) => a + b, 0) / 4 - value) > 0.011) misprints.push(`${row.model} ${j}`)
      })
      const whole = roundHalfEven(categories.reduce((a, b) => a + b, 0) / 4, 2)
      if (Math.abs(whole - (row.metrics.overall ?? 0)) > 0.011) misprints.push(`${row.model} overall`)
    }
    expect(misprints).toEqual(['LLaVA-NeXT-Video-7B 3', 'LLaVA-NeXT-Video-7B overall', 'Qwen2.5-VL-7B overall'])
  })

  test('InfiniBench: overall is half the accuracy and half the score', () => {
    for (const { metrics } of publishedFor('infinibench', 'validation')[0]!.rows) {
      if (metrics.accuracy === null || metrics.score === null || metrics.overall === null) continue
      expect(Math.abs(0.5 * metrics.accuracy! + 5 * metrics.score! - metrics.overall!)).toBeLessThan(0.06)
    }
  })

  test('CG-Bench: CRR is the smaller accuracy over the clue accuracy', () => {
    for (const table of publishedFor('cg-bench'))
      for (const { model, metrics } of table.rows) {
        const { long_acc, clue_acc, crr } = metrics
        if (long_acc === null || clue_acc === null || crr === null) continue
        expect(
          Math.abs((Math.min(long_acc!, clue_acc!) / clue_acc!) * 100 - crr!),
          `${table.split} ${model}`,
        ).toBeLessThan(0.6)
      }
  })
})
