import { describe, expect, test } from 'vitest'
import { benchRun, sampleLine } from '../../tests/bench/sample-lines.ts'
import cgBench from '../benchmarks/cg-bench/index.ts'
import type { SampleLine } from '../data/sample-line.ts'
import { availability } from './availability.ts'
import { compareReports } from './compare-runs.ts'
import { ownResult } from './papers/own-result.ts'
import { paperTable } from './papers/paper-table.ts'
import { publishedTable } from './papers/paper-tables.ts'
import { runReport } from './run-report.ts'
import { reportTables } from './tables.ts'

const run = benchRun({ benchmark: 'cg-bench', tasks: ['long_acc'], samples: 100, split: 'mini' })

// 100 questions on 10 videos, ten each; every second one is right where its video is there.
function lines(missing: readonly number[]): SampleLine[] {
  return Array.from({ length: 100 }, (_, at) => {
    const video = Math.floor(at / 10)
    const isMissing = missing.includes(video)
    return sampleLine({
      id: String(at),
      video: `${video}.mp4`,
      score: null,
      more: {
        groups: { domain: video < 4 ? 'Sport' : 'News', sub_category: 'all' },
        grades: { long_acc: { score: isMissing ? 0 : at % 2, rule: 'test' } },
        duration: isMissing ? undefined : 600,
        ...(isMissing && { error: 'nowhere', missing: { stated: 1200 } }),
      },
    })
  })
}

function reportOf(of: SampleLine[]) {
  const scores = {
    benchmark: 'cg-bench',
    n: 100,
    metrics: { long_acc: 40 },
    groups: {},
    excluded: [],
    unjudged: [],
    notes: [],
  }
  return runReport({
    folder: '/runs/ours',
    run,
    benchmark: cgBench,
    lines: of,
    finished: true,
    browsing: new Set<string>(),
    scores: { strict: { ...scores, scoring: 'strict' }, official: { ...scores, scoring: 'official' } },
  })
}

describe('two of ten videos are gone', () => {
  const found = availability(lines([0, 1]), ['long_acc'])

  test('strict, available and bounds stand together', () => {
    expect(found).toMatchObject({ samples: 100, there: 80, videos: 10, videosThere: 8 })
    expect(found?.tasks.long_acc).toEqual({ n: 100, there: 80, strict: 40, available: 50, high: 60 })
  })

  test('so they do in each group, with its share and with a warning where it loses too much', () => {
    const [sport, news] = found?.groups ?? []
    expect(sport).toMatchObject({ value: 'Sport', share: 0.4, shareThere: 0.25 })
    expect(sport?.tasks.long_acc).toEqual({ n: 40, there: 20, strict: 25, available: 50, high: 75 })
    expect(news?.tasks.long_acc).toEqual({ n: 60, there: 60, strict: 50, available: 50, high: 50 })
    expect(found?.warnings).toEqual([expect.stringMatching(/^domain Sport loses 20 of its 40 questions/)])
  })

  test('the length of the videos is that of the data where nothing could be decoded', () => {
    expect(found?.minutes).toEqual({ all: 12, there: 10 })
  })

  test('the report shows them, and no sentence compares with published numbers', async () => {
    const report = reportOf(lines([0, 1]))
    const text = JSON.stringify(reportTables(report))
    expect(text).toContain('["long_acc","80 of 100","40.0","50.0","40.0 to 60.0"]')
    expect(text).toContain('8 of 10 videos were there, and with them 80 of 100 questions (80.0 % covered).')
    expect(text).not.toContain('compare that column with published numbers')
    const table = paperTable(await publishedTable('cg-bench:mini'), [ownResult(report)])
    expect(JSON.stringify(table.rows) + table.columns).toContain('ours (80.0 % covered) *a')
    expect(table.notes[0]).toMatch(/20 of 100 questions had no video.*Not comparable\.$/)
  })
})

test('from 95 % on the sign stays, and the numbers may be compared', async () => {
  const report = reportOf(
    lines([0]).map((line, at) => (at < 5 ? { ...line, missing: undefined, error: undefined } : line)),
  )
  expect(JSON.stringify(reportTables(report))).toContain('compare that column with published numbers')
  const table = paperTable(await publishedTable('cg-bench:mini'), [ownResult(report)])
  expect(JSON.stringify(table.rows) + table.columns).toContain('ours (95.0 % covered) *a')
  expect(table.notes[0]).toContain('5 of 100 questions had no video')
  expect(table.notes[0]).not.toContain('Not comparable')
})

test('a run with all its videos shows no such rows', () => {
  expect(availability(lines([]), ['long_acc'])).toBeUndefined()
  const text = JSON.stringify(reportTables(reportOf(lines([]))))
  expect(text).not.toMatch(/covered|missing|bounds/)
  expect(text).toContain('compare that column with published numbers')
})

test('a comparison pairs what both runs could see, and says how much that leaves out', () => {
  const compared = (name: string, missing: number[]) => ({ name, run, config: {}, lines: lines(missing) })
  const { unseen, onlyInA, onlyInB, tasks } = compareReports(compared('a', [0]), compared('b', [0, 9]))
  expect({ unseen, onlyInA, onlyInB }).toEqual({ unseen: 20, onlyInA: 0, onlyInB: 0 })
  expect(tasks[0]).toMatchObject({ n: 80, a: 50, b: 50 })
  const none = () => compareReports(compared('a', [0, 1, 2, 3, 4]), compared('b', [5, 6, 7, 8, 9]))
  expect(none).toThrow('no question whose video was there in both runs')
})
