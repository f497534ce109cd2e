import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { benchRun, sampleLine } from '../../../tests/bench/sample-lines.ts'
import { loadBenchmark } from '../../benchmarks/index.ts'
import type { Scores } from '../../data/sample.ts'
import type { SampleLine } from '../../data/sample-line.ts'
import type { BenchRun } from '../../runner/files/run-files.ts'
import { publishedTable } from '../papers/paper-tables.ts'
import { type RunReport, runReport } from '../run-report.ts'
import { writtenReport } from '../written.ts'
import { buildFigure, buildFigures, paperFigures } from './build.ts'
import { chooseTop } from './draw/drawing.ts'
import { drawLines } from './draw/lines.ts'
import { figureSvg } from './draw/svg.ts'
import type { ReportFigure } from './figure.ts'
import { figureTex } from './pgfplots.ts'
import { figureCsv } from './rows.ts'

const about = benchRun({ models: { vision: 'own/eye' }, samples: 8 })

interface Made {
  benchmark: string
  run?: Partial<BenchRun>
  official: Partial<Scores>
  lines?: SampleLine[]
}

async function reportOf({ benchmark: name, run, official, lines = [] }: Made): Promise<RunReport> {
  const benchmark = await loadBenchmark(name)
  const scores: Scores = {
    benchmark: name,
    n: 8,
    metrics: {},
    groups: {},
    excluded: [],
    unjudged: [],
    notes: [],
    scoring: 'official',
    ...official,
  }
  const tasks = benchmark.tasks.map(task => task.name)
  return runReport({
    folder: '/runs/our-run',
    benchmark,
    lines,
    finished: true,
    browsing: new Set<string>(),
    run: { ...about, benchmark: name, tasks, ...run },
    scores: { strict: { ...scores, scoring: 'strict' }, official: scores },
  })
}

const ours = ({ panels }: ReportFigure) => panels.flatMap(({ series }) => series.filter(one => one.isOwn))
const pointsOf = ({ panels }: ReportFigure) =>
  panels.flatMap(({ series }) => series.filter(one => !one.isOwn).flatMap(({ points }) => points))

describe('the published points of a figure', () => {
  test.each([
    ['infinibench:frames', ['infinibench:4'], 15 * 2],
    ['longshot:tasks', ['longshot:3'], 8 * 16],
    ['longshot:lengths', ['longshot:4'], 8 * 3],
    ['allvb:tasks', ['allvb:2'], 12 * 9],
    ['allvb:lengths', ['allvb:3'], 12],
    ['allvb:frames', ['allvb:4'], 8],
    ['cg-bench:fig7', ['cg-bench:6'], 2],
    ['videoeval-pro:fig1', ['videoeval-pro:2'], 27 * 2],
    ['videoeval-pro:radar', ['videoeval-pro:2'], 27 * 4],
    ['infinibench:accuracy-heat', ['infinibench:7'], 13 * 4],
  ])('%s are numbers that its table prints', async (id, ids, count) => {
    const points = pointsOf(await buildFigure(id, []))
    const tables = await Promise.all(ids.map(publishedTable))
    const printed = new Set(tables.flatMap(({ rows }) => rows.flatMap(row => Object.values(row.printed).map(Number))))
    expect(points).toHaveLength(count)
    for (const { y } of points) expect(printed.has(y), String(y)).toBe(true)
  })

  test('a picture without printed numbers has none', async () => {
    for (const id of ['cg-bench:fig5', 'cg-bench:fig9', 'allvb:fig12-19', 'longshot:videos'])
      expect(pointsOf(await buildFigure(id, []))).toEqual([])
  })

  test('have an interval where the source says of how many questions they are', async () => {
    const [gpt] = pointsOf(await buildFigure('videoeval-pro:fig1', []))
    // Wilson, by hand: 0.595 of 1,289.
    expect(gpt).toMatchObject({ x: 'GPT-4o', y: 59.5, n: 1289 })
    expect([gpt?.low?.toFixed(2), gpt?.high?.toFixed(2)]).toEqual(['56.80', '62.15'])
  })
})

describe('our points in a figure', () => {
  const sweep = (frames: number, long: number) =>
    reportOf({
      benchmark: 'cg-bench',
      run: { options: { frames } },
      official: { metrics: { long_acc: long, miou: 3.456 } },
    })

  test('equal scores.json to the digit; runs of one model are one line, by frames', async () => {
    const reports = await Promise.all([sweep(64, 41.234567), sweep(0, 20.1), sweep(16, 33.3)])
    const [long, miou] = ours(await buildFigure('cg-bench:fig7', reports))
    expect(long?.points.map(({ x, y }) => [x, y])).toEqual([
      [0, 20.1],
      [16, 33.3],
      [64, 41.234567],
    ])
    expect(miou?.points.map(({ y }) => y)).toEqual([3.456, 3.456, 3.456])
  })

  test('of another model, or asked of other data, are another line', async () => {
    const other = await reportOf({
      benchmark: 'cg-bench',
      official: { metrics: { long_acc: 50 } },
      run: { options: { frames: 32 }, models: { vision: 'other/eye' } },
    })
    const few = await reportOf({
      benchmark: 'cg-bench',
      official: { metrics: { long_acc: 60 } },
      run: { options: { frames: 32 }, limit: 5 },
    })
    const names = ours(await buildFigure('cg-bench:fig7', [await sweep(32, 40), other, few])).map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) === at)).toEqual(['own/eye', 'other/eye', 'own/eye, first 5'])
  })

  test('carry the interval and the number of questions of the tables', async () => {
    const lines = Array.from({ length: 8 }, (_, i) => {
      const line = sampleLine({ id: String(i), video: `v${i}.mp4`, score: i % 2 })
      return { ...line, grades: { mcq: { score: i % 2, rule: 'test' } } }
    })
    const report = await reportOf({ benchmark: 'videoeval-pro', official: { metrics: { mcq: 50, open: 30 } }, lines })
    const row = report.tasks.find(({ task }) => task === 'mcq')
    const [mcq, open] = ours(await buildFigure('videoeval-pro:fig1', [report])).map(({ points }) => points[0])
    expect(mcq).toEqual({ x: 'our-run', y: 50, low: row?.low, high: row?.high, n: 8 })
    expect(open).toEqual({ x: 'our-run', y: 30 })
  })

  test('of the benchmark beside are a panel of their own', async () => {
    const options = { frames: 32 }
    const reports = await Promise.all([
      reportOf({ benchmark: 'videoeval-pro', run: { options }, official: { metrics: { open: 30 } } }),
      reportOf({ benchmark: 'video-mme', run: { options }, official: { metrics: { accuracy: 60 } } }),
    ])
    const { panels } = await buildFigure('videoeval-pro:fig3', reports)
    const found = panels.map(({ series }) => series.filter(({ isOwn }) => isOwn).flatMap(({ points }) => points))
    expect(found).toEqual([[{ x: 32, y: 30 }], [{ x: 32, y: 60 }]])
  })

  test('that a judge by words gave say so', async () => {
    const report = await reportOf({
      benchmark: 'videoeval-pro',
      run: { judgedBy: 'words', options: { frames: 32 } },
      official: { metrics: { open: 30, mcq: 50 } },
    })
    const [line] = ours(await buildFigure('videoeval-pro:fig3', [report]))
    expect(line?.name).toContain('(words)')
    expect((await buildFigure('videoeval-pro:fig1', [report])).notes[0]).toContain('Not comparable')
  })

  test('say where in the videos the clues are, as shares of the covered time', async () => {
    // 100 s each: 5 to 15 s covers half of two tenths, 90 to 100 s the last one.
    const clues = [
      { start: 5, end: 15 },
      { start: 90, end: 100 },
    ]
    const lines = [sampleLine({ id: '1', score: 1, more: { clues, duration: 100 } })]
    const [line] = ours(
      await buildFigure('cg-bench:fig5', [await reportOf({ benchmark: 'cg-bench', official: {}, lines })]),
    )
    expect(line?.points.map(({ y }) => Math.round(y))).toEqual([25, 25, 0, 0, 0, 0, 0, 0, 0, 50])
  })

  test('of sub-tasks and of lengths without official groups are counted, and that is said', async () => {
    const line = (id: string, sub_task: string, score: number, minutes: number) => ({
      ...sampleLine({ id, score, more: { groups: { task: 'VC', sub_task }, duration: minutes * 60 } }),
      grades: { answer: { score, rule: 'test' } },
    })
    const lines = [line('1', 'genre', 1, 85), line('2', 'genre', 0, 85), line('3', 'era', 1, 135)]
    const report = await reportOf({ benchmark: 'allvb', official: {}, lines })
    const [genre] = ours(await buildFigure('allvb:fig12-19', [report]))
    expect(genre?.points.map(({ x, y, n }) => [x, y, n])).toEqual([
      ['genre', 50, 2],
      ['era', 100, 1],
    ])
    const lengths = await buildFigure('allvb:lengths', [report])
    expect(ours(lengths)[0]?.points.map(({ x, y }) => [x, y])).toEqual([
      ['[80, 90)', 50],
      ['[130, 140)', 100],
    ])
    expect(lengths.notes[0]).toContain('strictly')
  })
})

describe('the forms of a figure', () => {
  test('the page holds what the runs fill, and no radar', async () => {
    const report = await reportOf({
      benchmark: 'infinibench',
      run: { split: 'validation' },
      official: { groups: { global_appearance: { n: 10, accuracy: 12.34 } } },
    })
    const ids = (await buildFigures([report])).map(({ id }) => id)
    expect(ids).toContain('infinibench:accuracy-heat')
    expect(ids.filter(id => id.includes('radar') || id.includes('score'))).toEqual([])
    const html = await writtenReport('html', [report])
    expect(html).toContain('Global Appearance, our-run: 12.34')
    expect(html).toContain('Global Appearance, GPT4o: 54.26')
  })

  test('CSV has a row for each point', async () => {
    const rows = figureCsv(await buildFigure('allvb:frames', []))
      .trim()
      .split('\n')
    expect(rows[0]).toBe('figure,panel,series,from,x,y,low,high,n,unit')
    expect(rows[1]).toBe('allvb:frames,Avg. Acc.,MovieChat,published,16,24.4,,,,per cent')
    expect(rows).toHaveLength(9)
  })

  test('SVG doubles the frames at each step', () => {
    const points = [1, 2, 4, 8].map(x => ({ x, y: 50 }))
    const panel = { title: '', unit: '', top: 100, categories: [], series: [{ name: 'a', isOwn: true, points }] }
    const marks = drawLines(panel).shapes.flatMap(([tag, { cx }]) => (tag === 'circle' ? [Number(cx)] : []))
    const steps = marks.slice(1).map((x, at) => x - (marks[at] ?? 0))
    for (const step of steps) expect(step).toBeCloseTo(steps[0] ?? 0, 0)
    expect(steps).toHaveLength(3)
  })

  test('SVG shows texts as they are and asks for nothing', async () => {
    const svg = figureSvg({ ...(await buildFigure('videoeval-pro:radar', [])), title: '<script>&' })
    expect(svg).toContain('&lt;script&gt;&amp;')
    expect(svg).not.toMatch(/<script|href|url\(/)
  })
})

const hasPgfplots =
  spawnSync('kpsewhich', ['pgfplots.sty']).status === 0 && spawnSync('pdflatex', ['--version']).status === 0
test.skipIf(!hasPgfplots)(
  `every figure compiles with pgfplots${hasPgfplots ? '' : ' (skipped: pdflatex with pgfplots is not here; apt install texlive-pictures)'}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'longtake-figures-'))
    const wanted = (await paperFigures()).map(({ id }) => id)
    const all = await Promise.all(wanted.map(id => buildFigure(id, [])))
    const filled = all.filter(one => pointsOf(one).length > 0)
    const head = '\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{pgfplots}'
    const setup = '\\pgfplotsset{compat=1.17}\\usepgfplotslibrary{polar}\\begin{document}'
    const body = filled.map(figureTex).join('\\clearpage\n')
    writeFileSync(join(folder, 'all.tex'), `${head}${setup}\n${body}\n\\end{document}\n`)
    const { status } = spawnSync('pdflatex', ['-halt-on-error', '-interaction=nonstopmode', 'all.tex'], { cwd: folder })
    const log = readFileSync(join(folder, 'all.log'), 'utf8')
    expect(status, log.slice(-1500)).toBe(0)
    expect(filled.length).toBeGreaterThan(8)
  },
)

test('one point with nothing beside it is no figure on the page, and the scale of a share ends at 100', async () => {
  const official = { metrics: { crr: 100, long_acc: 98 } }
  const report = await reportOf({ benchmark: 'cg-bench', run: { split: 'full', options: { frames: 32 } }, official })
  const panelsOn = async (reports: RunReport[]) =>
    (await buildFigures(reports)).find(({ id }) => id === 'cg-bench:fig7')?.panels ?? []
  expect((await panelsOn([report])).map(({ title }) => title)).toEqual(['long-acc.'])
  const more = await reportOf({ benchmark: 'cg-bench', run: { split: 'full', options: { frames: 64 } }, official })
  const panels = await panelsOn([report, more])
  expect(panels.map(({ title }) => title)).toEqual(['long-acc.', 'CRR'])
  expect(panels.map(chooseTop)).toEqual([100, 100])
})
