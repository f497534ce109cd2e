import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { benchRun, sampleLine } from '../../tests/bench/sample-lines.ts'
import cgBench from '../benchmarks/cg-bench/index.ts'
import needle from '../benchmarks/needle/index.ts'
import { markdown } from '../data/report-table.ts'
import { SampleLine } from '../data/sample-line.ts'
import { BenchRun } from '../runner/files/run-files.ts'
import { calibration } from './calibration.ts'
import { compareReports } from './compare-runs.ts'
import { jsonScript, toHtml } from './page/markup.ts'
import { pageFile } from './page/page-file.ts'
import { runPage } from './run-page.ts'
import { runReport } from './run-report.ts'
import { reportTables } from './tables.ts'
import { taskRow } from './task-rows.ts'
import { reportsCsv } from './written.ts'

const run = benchRun({
  name: 'bench needle',
  benchmark: 'needle',
  tasks: ['open'],
  by: 'longtake',
  models: { planner: 'rules', judge: 'off' },
  samples: 4,
})
const reportGiven = (lines: SampleLine[], folder = '/runs/one') => ({
  folder,
  run,
  benchmark: needle,
  lines,
  finished: true,
  browsing: new Set<string>(),
})
const reportOf = (lines: SampleLine[], folder?: string) => runReport(reportGiven(lines, folder))

test('a run folder names no task or group that every object has, and holds no score beyond all measure', () => {
  const line = sampleLine({ id: '1', score: 1 })
  expect(SampleLine.safeParse(line).success).toBe(true)
  for (const [name, score] of [
    ['constructor', 1],
    ['kind', -1e308],
    ['kind', 1e9],
  ] as const) {
    const grades = { open: { ...line.grades.open!, score } }
    expect(SampleLine.safeParse({ ...line, groups: { [name]: 'x' }, grades }).success).toBe(false)
  }
  expect(BenchRun.safeParse(run).success).toBe(true)
  expect(BenchRun.safeParse({ ...run, tasks: ['constructor'] }).success).toBe(false)
  expect(BenchRun.safeParse({ ...run, options: { frames: { toString: 1 } } }).success).toBe(false)
})

describe('the rows of a task', () => {
  test('count what was not judged as nothing, and say how much it is', () => {
    const row = taskRow([sampleLine({ id: '1', score: 1 }), sampleLine({ id: '2', score: null })], 'open')
    expect(row).toMatchObject({ n: 2, unscored: 1, mean: 50, interval: 'questions alone', chance: null })
  })

  test('have an error that grows when the questions of a video hang together', () => {
    const lines = (videoOf: (i: number) => string) =>
      Array.from({ length: 40 }, (_, i) => sampleLine({ id: String(i), video: videoOf(i), score: Number(i < 20) }))
    const apart = taskRow(
      lines(i => `video ${i}`),
      'open',
    )
    const together = taskRow(
      lines(i => `video ${Math.floor(i / 4)}`),
      'open',
    )
    expect(apart?.interval).toBe('videos drawn')
    expect(apart?.standardError).toBeCloseTo(8.00641, 5)
    expect(together?.standardError).toBeCloseTo(16.66667, 5)
  })
})

test('a run on a set of own videos says how much of it people had seen', () => {
  const report = (made: BenchRun['made']) =>
    runReport({ ...reportGiven([sampleLine({ id: '1', score: 1 })]), run: { ...run, made } }).notes.join('\n')
  expect(report({ reviewed: 3, of: 20 })).toContain('The set is made from own videos, reviewed 3 of 20.')
  expect(report(undefined)).not.toContain('own videos')
})

test('people stand beside a run on a made set, by task, and in no other table', () => {
  const human = { answered: 20, right: 17, marked: 4, accuracy: 85, low: 64, high: 94.8, mIoU: 41.25 }
  const report = (people?: typeof human) =>
    runReport({
      ...reportGiven([sampleLine({ id: '1', score: 1, more: { grades: { long_acc: { score: 1, rule: 'choice' } } } })]),
      benchmark: cgBench,
      run: {
        ...run,
        benchmark: 'cg-bench',
        split: 'made',
        tasks: ['long_acc', 'clue_acc', 'miou'],
        made: { reviewed: 20, of: 20, ...(people && { people }) },
      },
    })
  const tables = reportTables(report(human))
  const [beside, ...others] = tables.filter(({ rows }) => rows.some(([name]) => name === 'people, made set'))
  expect(others).toEqual([])
  expect(beside).toMatchObject({
    columns: ['', 'long_acc', 'miou'],
    rows: [
      ['one', expect.stringMatching(/^100\.0 /), '-'],
      ['people, made set', '85.0 (64.0-94.8)', '41.3'],
    ],
  })
  expect(beside?.notes.join()).toContain('long_acc 20, miou 4')
  expect(JSON.stringify(reportTables(report()))).not.toContain('people, made set')
})

test('confidence is held against being right, bin by bin', () => {
  const lines = [
    sampleLine({ id: '1', score: 1, confidence: 0.9 }),
    sampleLine({ id: '2', score: 0, confidence: 0.9 }),
    sampleLine({ id: '3', score: 0, confidence: 0.1 }),
    sampleLine({ id: '4', score: null, confidence: 1 }),
  ]
  expect(calibration(lines, 'open')).toEqual({
    task: 'open',
    n: 3,
    bins: [
      { from: 0.1, to: 0.2, n: 1, confidence: 0.1, score: 0 },
      { from: 0.9, to: 1, n: 2, confidence: 0.9, score: 0.5 },
    ],
    error: expect.closeTo((0.1 + 2 * 0.4) / 3, 10),
    brier: expect.closeTo((0.01 + 0.01 + 0.81) / 3, 10),
  })
})

describe('two runs compared', () => {
  const lines = (scores: number[]) =>
    scores.map((score, i) => sampleLine({ id: String(i), video: `video ${i % 5}`, score }))
  const compared = (name: string, scores: number[], config: unknown = {}) => ({
    name,
    run,
    config,
    lines: lines(scores),
  })

  test('say which is better, question by question, and whether that can be chance', () => {
    const a = compared(
      'a',
      Array.from({ length: 20 }, (_, i) => Number(i < 8)),
      { models: { planner: { model: 'x' } } },
    )
    const b = compared(
      'b',
      Array.from({ length: 20 }, (_, i) => Number(i < 18)),
      { models: { planner: { model: 'y', url: 'http://b' } } },
    )
    const { tasks, settings } = compareReports(a, b)
    expect(settings).toEqual(['models.planner.model: "x", now "y"'])
    expect(tasks[0]).toMatchObject({ n: 20, a: 40, b: 90, mcNemar: { onlyA: 0, onlyB: 10 } })
    expect(tasks[0]!.paired.difference).toBe(50)
    expect(tasks[0]!.mcNemar?.p).toBeCloseTo(2 / 1024, 10)
    expect(tasks[0]!.changed).toHaveLength(10)
  })

  test('leave out what only one has, and refuse another benchmark', () => {
    const comparison = compareReports(compared('a', [1, 0, 1]), compared('b', [1, 0]))
    expect(comparison).toMatchObject({ onlyInA: 1, onlyInB: 0 })
    const other = { ...compared('b', [1]), run: { ...run, benchmark: 'allvb' } }
    expect(() => compareReports(compared('a', [1]), other)).toThrow('One run is of needle, the other of allvb.')
  })
})

const hostile =
  '</script><script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"><!--\u2028\u202e\u001b[31m'
const attack = sampleLine({
  id: hostile,
  video: `${hostile}.mp4`,
  score: 0,
  indexed: ['text'],
  rows: [{ span: { start: 12, end: 14 }, track: 'text', text: hostile, cited: true }],
  more: {
    question: { text: hostile, options: [hostile, 'b'] },
    reference: hostile,
    groups: { kind: hostile },
    replies: { open: hostile },
    judge: { by: hostile, replies: { [hostile]: hostile }, failed: { open: hostile }, seconds: 0 },
    grades: {
      open: {
        score: 0,
        rule: hostile,
        criteria: [{ name: hostile, description: `Must not ${hostile}`, weight: 1, penalty: false, met: false }],
      },
    },
  },
})
attack.asks[0]!.answer = { text: hostile, sentences: [], confidence: 0.5, abstained: false, degraded: [hostile] }
attack.asks[0]!.steps = [
  { round: 0, tool: hostile, input: { query: hostile }, outcome: 'found', evidence: [], notes: [hostile], seconds: 0 },
]
attack.asks[0]!.error = hostile

describe('texts that would be code elsewhere', () => {
  test('cannot leave the data of the page, and no address is in it', async () => {
    const page = await runPage([reportOf([attack])])
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/https?:|url\(|@import/)
    const [, json = ''] = /^<script[^>]*>(.*)<\/script>$/.exec(toHtml(jsonScript({ hostile }))) ?? []
    expect(json).not.toMatch(/[<\u2028\u202e]/)
    expect(JSON.parse(json)).toEqual({ hostile })
  })

  test('cannot leave a cell of the table of samples, nor be a formula', () => {
    const line = { ...attack, question: { text: '=HYPERLINK("http://x","y")\n+1' }, error: ' @SUM(A1)' }
    const text = reportsCsv([reportOf([line])])
    expect(text).toContain(`"'=HYPERLINK(""http://x"",""y"")\n+1"`)
    expect(text).toContain(`"' @SUM(A1)"`)
  })

  test('cannot be markup in Markdown', () => {
    const text = markdown('x', reportTables(reportOf([attack, { ...attack, id: '2', groups: { kind: 'a|b' } }])))
    expect(text).not.toMatch(/(?<!\\)<script/)
    expect(text).toContain('a\\|b')
    for (const row of text.split('\n').filter(one => one.startsWith('| task')))
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(12)
  })
})

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  name => spawnSync(name, ['--version']).status === 0,
)

function seenInBrowser(page: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-page-'))
  const file = join(folder, 'report.html')
  writeFileSync(file, page)
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']
  const quiet = ['--disable-component-update', '--disable-sync', `--user-data-dir=${join(folder, 'profile')}`]
  const { stdout } = spawnSync(
    browser ?? '',
    [...flags, ...quiet, '--virtual-time-budget=3000', '--dump-dom', `file://${file}`],
    {
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  )
  return stdout
}

// The page without its policy, and with a script of the test at its end.
function withScript(page: string, script: string): string {
  return page.replace(/<meta http-equiv[^>]*>/, '').replace('</body>', () => `<script>${script}</script></body>`)
}

describe.skipIf(!browser)(`the page in a browser${browser ? '' : ' (skipped: no chromium is installed)'}`, () => {
  let page: string
  beforeAll(async () => {
    const lines = [attack, sampleLine({ id: '2', score: 1, confidence: 0.9 }), sampleLine({ id: '3', score: 0 })]
    page = await runPage([reportOf(lines)])
  })

  test('shows the numbers and the samples', () => {
    const dom = seenInBrowser(page)
    expect(dom).toContain('<title>needle: one</title>')
    expect(dom).toContain('3 of 3 samples')
    expect(dom).toContain('<svg')
    expect(dom.match(/<script/g)).toHaveLength(2)
  })

  test('narrows the samples by its controls', () => {
    const inside = `
      const set = (name, value) => {
        const control = document.querySelector('[name="' + name + '"]')
        control.value = value
        control.dispatchEvent(new Event('input', { bubbles: true }))
        return document.querySelector('[aria-live]').textContent
      }
      const seen = [set('kind', 'wrong'), set('task', 'open'), set('words', 'OnError')]
      document.body.textContent = JSON.stringify(seen)`
    const dom = seenInBrowser(withScript(page, inside))
    expect(dom).toContain('["2 of 3 samples","2 of 3 samples","1 of 3 samples"]')
  })

  test('obeys nothing that stands in a question, an answer or a text on screen, even without its policy', () => {
    const opener = `for (const one of document.querySelectorAll('details')) one.open = true`
    const dom = seenInBrowser(withScript(page, opener))
    expect(dom).toContain('Gold intervals: 0:10')
    expect(dom).toContain('Must not') // a criterion, which only an opened sample shows
    expect(dom).toContain('<title>needle: one</title>')
    expect(dom).not.toContain('<img src="x"')
    expect(dom).toContain('⟨202E⟩⟨1B⟩[31m') // what turns text around or speaks to terminals is named
    expect(dom.replace(/ value="[^"]*"/g, '')).not.toContain('\u202e')
    expect(dom.match(/<script/g)).toHaveLength(3)
  })
})

test.each(['report', 'review', 'sheet', 'write'] as const)(
  'script and style of the page %s cannot end their elements',
  code => {
    const { html, policy } = pageFile({ code, title: 'x' })
    const [, style = ''] = html.split('<style>')[1]!.split('</style>')
    const [, script = ''] = html.split('<script>')
    expect(html.match(/<(script|style)\b/g)).toHaveLength(2)
    expect(script.split('</script>')[1]!.trim()).toBe('</body>\n</html>')
    expect(style).not.toContain('<style')
    expect(html).not.toContain('<!--')
    expect(policy).not.toContain('unsafe')
  },
)

test('groups that are ranges stand by their numbers, wherever they came first', () => {
  const ranges = ['40 ~ 50', '60+', '0 ~ 10', '10 ~ 20']
  const lines = ranges.map((duration, i) =>
    sampleLine({ id: String(i), score: 1, more: { groups: { duration, kind: `${i === 0 ? 'x' : 1}${i}` } } }),
  )
  const report = reportOf(lines)
  const valuesOf = (way: string) => report.groups.find(group => group.way === way)?.rows.map(({ value }) => value)
  expect(valuesOf('duration')).toEqual(['0 ~ 10', '10 ~ 20', '40 ~ 50', '60+'])
  expect(valuesOf('kind')).toEqual(['x0', '11', '12', '13'])
})

describe('who judged', () => {
  const judged = (models: Record<string, string>, digests?: Record<string, string>): BenchRun => ({
    ...run,
    judgedBy: models.judge,
    models,
    ...(digests && { digests }),
  })
  const noteOf = (of: BenchRun) => runReport({ ...reportGiven([sampleLine({ id: '1', score: 1 })]), run: of }).notes[0]

  test('is said where it is the model that answered, by its digest or name, or one of the same maker, with the calibration', () => {
    const qwen = { planner: 'ollama/qwen3:8b', writer: 'ollama/qwen3:8b' }
    const digest = 'sha256:0123456789abcdef'
    const renamed = { planner: digest, judge: digest }
    expect(noteOf(judged({ ...qwen, judge: 'ollama/qwen3:8b' }))).toMatch(
      /^The judge ollama\/qwen3:8b is the model that answered\. Another judge: --set models\.judge\S+ .* Calibration: not checked\.$/,
    )
    expect(noteOf(judged({ ...qwen, judge: 'vllm/mine' }, renamed))).toContain('is the model that answered (sha256:')
    expect(noteOf(judged({ ...qwen, judge: 'ollama/qwen3:14b' }))).toContain('ollama/qwen3:8b, are both of alibaba.')
    expect(noteOf(judged({ ...qwen, judge: 'openai/gpt-4o' }))).not.toContain('Another judge')
    expect(noteOf({ ...judged({ ...qwen, judge: 'ollama/qwen3:8b' }), judgedBy: 'words' })).not.toContain(
      'Another judge',
    )
  })

  test('answers that no judge has judged have no score in a report and no part in a comparison', () => {
    const lines = [1, 2].map(id => {
      const line = sampleLine({ id: String(id), score: null })
      line.grades.open = { score: null, rule: 'no verdict', value: 'red' }
      return line
    })
    const [, tasks] = reportTables(reportOf(lines))
    expect(tasks?.rows).toEqual([['open', '2', 'not judged', '-', '-', '-', '2', '2.0', '0', '0.0', '-']])
    const compared = { name: 'a', run, config: {}, lines }
    expect(compareReports(compared, compared)).toMatchObject({ tasks: [], notJudged: ['open'] })
  })
})

test('a made set of three questions is never to be compared with published numbers, the whole split is', () => {
  const lines = ['1', '2', '3'].map(id => sampleLine({ id, score: 1 }))
  const scores = {
    benchmark: 'cg-bench',
    n: 3,
    metrics: { long_acc: 100 },
    groups: {},
    excluded: [],
    unjudged: [],
    notes: [],
  }
  const notesOf = (split: string) => {
    const given = {
      ...reportGiven(lines),
      benchmark: cgBench,
      run: { ...run, benchmark: 'cg-bench', samples: 3, split },
    }
    const both = {
      strict: { ...scores, scoring: 'strict' as const },
      official: { ...scores, scoring: 'official' as const },
    }
    const tables = reportTables(runReport({ ...given, scores: both }))
    return tables.find(({ title }) => title === "The benchmark's own metrics")?.notes.join(' ')
  }
  expect(notesOf('made')).not.toContain('published')
  expect(notesOf('mini')).toContain('compare that column with published numbers')
})

test('tokens per right answer count all tokens of the task, those of wrong answers too', () => {
  const withTokens = (id: string, score: number) => {
    const line = sampleLine({ id, score })
    for (const ask of line.asks) ask.usage = { ...ask.usage, calls: 4, inputTokens: 90, outputTokens: 10, frames: 8 }
    return line
  }
  const [, tasks] = reportTables(reportOf([withTokens('1', 1), withTokens('2', 0), withTokens('3', 0)]))
  expect(tasks?.columns.slice(-4)).toEqual(['model calls', 'tokens', 'frames', 'tokens per right answer'])
  expect(tasks?.rows[0]?.slice(-4)).toEqual(['4.0', '100', '8.0', '300'])
})
