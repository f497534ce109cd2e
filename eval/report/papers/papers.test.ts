import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { benchRun, sampleLine } from '../../../tests/bench/sample-lines.ts'
import { benchmarkNames, loadBenchmark } from '../../benchmarks/index.ts'
import type { Scores } from '../../data/sample.ts'
import type { BenchRun } from '../../runner/files/run-files.ts'
import { type RunReport, runReport } from '../run-report.ts'
import { buildReportTables } from '../tables.ts'
import { writtenReport, writtenTables } from '../written.ts'
import { departures } from './departures.ts'
import { type OwnResult, ownResult } from './own-result.ts'
import { paperTable } from './paper-table.ts'
import { publishedTable, publishedTablesOfAll } from './paper-tables.ts'

const all = await publishedTablesOfAll()

const own = (benchmark: string, more: Partial<OwnResult> = {}): OwnResult => ({
  name: 'our-run',
  benchmark,
  metrics: {},
  groups: [],
  judges: {},
  byWords: [],
  unjudged: [],
  shown: {},
  changed: [],
  modeSets: [],
  incomplete: [],
  differs: [],
  isAlone: true,
  ...more,
})

async function reportOf(benchmark: string, more: Partial<BenchRun>, official: Partial<Scores>): Promise<RunReport> {
  const scores = { benchmark, n: 1, metrics: {}, groups: {}, excluded: [], unjudged: [], notes: [], ...official }
  const made = await loadBenchmark(benchmark)
  const tasks = made.tasks.map(task => task.name)
  const lines = [sampleLine({ id: '1', score: 1 })]
  const [first] = lines
  if (first) first.grades = Object.fromEntries(tasks.map(task => [task, { score: 1, rule: 'test' }]))
  return runReport({
    folder: '/runs/our-run',
    run: { ...run, benchmark, tasks, ...more },
    benchmark: made,
    lines,
    scores: { strict: { ...scores, scoring: 'strict' }, official: { ...scores, scoring: 'official' } },
    finished: true,
    browsing: new Set(),
  })
}

const run = benchRun()

// Cells of the papers' ablation tables, counted on their pages.
const ablations = {
  'cg-bench:4': 50,
  'cg-bench:10': 50,
  'cg-bench:6': 4,
  'allvb:3': 12,
  'allvb:4': 8,
  'infinibench:4': 150,
  'infinibench:9': 70,
  'videoeval-pro:3': 12,
  // A row of chance and 6 of a model; the ratings of 13 models by 3 judges; 7 skills.
  'infinibench:2': 5 + 6 * 10,
  'infinibench:6': 5 + 4 * 6 * 10,
  'infinibench:5': 13 * 3,
  'infinibench:10': 7,
  'cg-bench:5': 2,
  'videoeval-pro:4': 6 * 5,
  'videoeval-pro:5': 7 + 5,
}
const differences = { 'cg-bench:4': 36, 'cg-bench:10': 36, 'allvb:3': 8, 'allvb:4': 4 }

describe('a published table without a run', () => {
  test('prints every number of its source, and nothing else', () => {
    const counts = Object.fromEntries(
      all.map(table => {
        const { rows } = paperTable(table, [])
        const printed = table.rows.flatMap(row => Object.values(row.printed))
        const inBrackets = table.rows.flatMap(row => Object.values(row.differences).map(one => `(${one})`))
        expect(inBrackets).toHaveLength({ [table.id]: 0, ...differences }[table.id] ?? -1)
        const parts = rows.flatMap(row => row.slice(1)).flatMap(cell => cell.split(/ (?=\([+-])/))
        const cells = parts.filter(cell => /^\(?[+-]?\d+(\.\d+)?\)?$/.test(cell))
        const settings = table.rows.flatMap(row => Object.values(row.settings)).filter(cell => /^\d+$/.test(cell))
        expect([...cells].sort(), table.id).toEqual([...printed, ...settings, ...inBrackets].sort())
        return [table.id, printed.length]
      }),
    )
    expect(counts).toMatchObject({
      'longshot:3': 170,
      'infinibench:7': 13 * 11,
      'allvb:2': 12 * 10,
      'longshot:4': 24,
      ...ablations,
    })
  })

  test('keeps the decimals and the dashes of its source', async () => {
    const { columns, rows } = paperTable(await publishedTable('longshot:3'), [])
    const qwen = columns.indexOf('Qwen2.5-VL-7B')
    expect(rows.find(([name]) => name === 'Entity Recognition')?.[1]).toBe('43.62')
    expect(rows.find(([name]) => name === 'Agentic Tasks')?.[qwen]).toBe('-')
    const gpt = paperTable(await publishedTable('cg-bench:3'), []).rows.find(([name]) => name === 'GPT-4o-08-06')
    expect(gpt).toEqual(['GPT-4o-08-06', '-', '32', '128', '58.3', '45.2', '5.62', '8.30', '4.38', '77.5', '39.5'])
  })

  test('has an id of its own, and an unknown one is refused with those there are', async () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    await expect(publishedTable('cg-bench:99')).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('cg-bench:mini'),
    })
  })
})

describe('a result of ours in a published table', () => {
  test('fills the same columns with the same decimals; what it lacks is a dash', async () => {
    const result = own('cg-bench', { split: 'full', metrics: { long_acc: 40.25, miou: 3.456, oe_acc: null } })
    const { rows, own: mine } = paperTable(await publishedTable('cg-bench:3'), [result])
    expect(rows[0]).toEqual(['our-run', '-', '-', '-', '-', '40.3', '3.46', '-', '-', '-', '-'])
    expect(mine).toEqual({ rows: [0] })
  })

  test('takes group numbers from the scorer, and stands in a column where models do', async () => {
    const groups = [{ way: 'subtasks', values: { entity_recognition: { accuracy: 31.4 } } }]
    const table = await publishedTable('longshot:3')
    const { columns, rows } = paperTable(table, [own('longshot', { split: 'postvalid_v1', groups })])
    expect(columns[1]).toBe('our-run *a')
    expect(rows.find(([name]) => name === 'Entity Recognition')?.slice(0, 3)).toEqual([
      'Entity Recognition',
      '31.40',
      '43.62',
    ])
  })

  test('of another benchmark is left out', async () => {
    expect(paperTable(await publishedTable('allvb:2'), [own('longshot')]).rows).toHaveLength(12)
  })

  test('says by signs in what it differs, and when that forbids comparing', async () => {
    const table = await publishedTable('longshot:3')
    const other = own('longshot', { split: 'postvalid_v2', differs: ['judge qwen3:4b'] })
    expect(departures(other, table)).toEqual({
      grave: ['postvalid_v2, not postvalid_v1'],
      notes: ['postvalid_v2, not postvalid_v1', 'judge qwen3:4b', 'frames are shown, not the video itself'],
      isComparable: false,
    })
    expect(paperTable(table, [other]).notes[0]).toMatch(/^\*a {2}postvalid_v2, not postvalid_v1; .* Not comparable\.$/)
    const mini = await publishedTable('cg-bench:mini')
    const few = own('cg-bench', { split: 'mini', edition: { found: 3, published: 3000 } })
    expect(departures(few, mini).notes).toEqual(['3 records, the published mini has 3000'])
    const unknown = own('longshot', { split: table.split, edition: { found: 1 } })
    expect(departures(unknown, table)).toMatchObject({
      notes: [
        '1 record; how many the published postvalid_v1 has is not known here',
        'frames are shown, not the video itself',
      ],
      grave: [],
      isComparable: true,
    })
    expect(departures({ ...few, edition: { found: 3000, published: 3000 } }, mini)).toEqual({
      notes: [],
      grave: [],
      isComparable: true,
    })
  })

  test('names every departure of a run from the protocol', async () => {
    const report = await reportOf(
      'cg-bench',
      { split: 'mini', limit: 10, options: { frames: 64 }, judgedBy: 'ollama/qwen3:4b' },
      {},
    )
    const { incomplete, differs, changed, shown } = ownResult(report)
    expect(incomplete).toEqual(['only the first 10 questions'])
    expect(differs).toEqual(['judge ollama/qwen3:4b, not the released wording', 'judge not checked'])
    expect(changed).toEqual(['frames 64, not 128'])
    expect(shown).toMatchObject({ frames_long: '64', frames_clue: '32' })
  })
})

describe('mini and full in a report', () => {
  test('data that are mini are reported as mini, whatever the run called them', async () => {
    const { editions = [] } = (await loadBenchmark('cg-bench')).data
    const report = await reportOf('cg-bench', { split: 'full', dataHash: editions[0]?.dataHash ?? '' }, {})
    expect(report.run.split).toBe('mini')
    expect(report.published.map(({ id }) => id)).toEqual(['cg-bench:mini'])
  })
})

describe('scores that a judge by words gave', () => {
  // The number stands out, and is searched in every form of the report.
  const worded = '77.77'
  const cases: [string, Partial<Scores>][] = [
    ['cg-bench', { metrics: { long_acc: 50, oe_acc: 77.77 }, groups: { domain: { GUI: { n: 1, oe_acc: 77.77 } } } }],
    ['infinibench', { metrics: { overall: 77.77 }, groups: { summarization: { score: 77.77 } } }],
    ['videoeval-pro', { metrics: { open: 77.77, mcq: 50 }, groups: { 'Local Perception': { open: 77.77 } } }],
    ['longshot', { metrics: { overall: 77.77 }, groups: { subtasks: { entity_recognition: { accuracy: 77.77 } } } }],
  ]

  test.each(cases)('%s: never stand under a name alone, in any table', async (benchmark, official) => {
    const report = await reportOf(benchmark, { judgedBy: 'words' }, official)
    let found = 0
    for (const { title, columns, rows } of buildReportTables([report]))
      for (const row of rows)
        for (const [place, cell] of row.entries())
          if (cell.startsWith(worded.slice(0, 4))) {
            found++
            expect(`${columns[place]} ${row[0]}`, `${title}: ${columns[place]}, ${row[0]}`).toContain('(words)')
          }
    expect(found).toBeGreaterThan(1)
  })

  test('say so in the heads of the page, of Markdown, LaTeX and the list of samples', async () => {
    const report = await reportOf('cg-bench', { judgedBy: 'words', split: 'full' }, { metrics: { oe_acc: 77.77 } })
    const [html, md, tex, csv] = await Promise.all(
      (['html', 'md', 'tex', 'csv'] as const).map(form => writtenReport(form, [report])),
    )
    expect(html).toContain('OE-acc. (words)')
    expect(html).toMatch(/<div class="label">open \(words\)/)
    expect(md).toContain('OE-acc. (words)')
    expect(tex).toContain('OE-acc. (words)')
    expect(csv?.split('\n')[0]).toContain('open_score (words)')
    const judged = await reportOf('cg-bench', { judgedBy: 'ollama/judge' }, { metrics: { oe_acc: 77.77 } })
    expect(await writtenReport('html', [judged])).not.toContain('(words)<')
  })
})

test('the page and Markdown hold the published groups and the official groups of the run', async () => {
  const groups = { subtasks: { entity_recognition: { accuracy: 12.34, samples: 2 } } }
  const report = await reportOf('longshot', { split: 'postvalid_v1' }, { groups })
  for (const form of ['html', 'md'] as const) {
    const text = await writtenReport(form, [report])
    for (const number of ['43.62', '38.25', '12.34']) expect(text).toContain(number)
    expect(text).toContain('By subtasks, official')
  }
})

const compilers = ['pdflatex', 'tectonic'].filter(name => spawnSync(name, ['--version']).status === 0)
if (compilers.length === 0) console.info('No LaTeX here: that the tables compile was not tried.')
test.skipIf(compilers.length === 0)('the tables compile with booktabs', async () => {
  const tables = all.map(table => paperTable(table, [own(table.benchmark, { differs: ['50 % & more_than #3'] })]))
  const folder = mkdtempSync(join(tmpdir(), 'longtake-tex-'))
  const head = '\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs,graphicx}'
  const body = await writtenTables('tex', tables)
  writeFileSync(join(folder, 'tables.tex'), `${head}\\begin{document}\n${body}\n\\end{document}\n`)
  const { status } = spawnSync(compilers[0] ?? '', ['-halt-on-error', '-interaction=nonstopmode', 'tables.tex'], {
    cwd: folder,
  })
  const log = readFileSync(join(folder, 'tables.log'), 'utf8')
  expect(status, log.slice(-2000)).toBe(0)
  expect(log).not.toContain('Missing character')
})

test('every benchmark of the five papers has its table', () => {
  expect([...new Set(all.map(({ benchmark }) => benchmark))]).toEqual(benchmarkNames.slice(0, 5))
})
