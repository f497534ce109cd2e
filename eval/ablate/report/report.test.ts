import { describe, expect, test } from 'vitest'
import { sampleLine } from '../../../tests/bench/sample-lines.ts'
import type { RowRecord } from '../result/records.ts'
import { studyResult } from '../result/result.ts'
import { writtenStudy } from './files.ts'

const nasty = '</script><img src=x onerror=alert(1)> =SUM(A1) \\write18{x} & 50_% `|'

// Twelve questions on two videos; the changed row loses all of those that its name says.
function row(id: string, name: string, lost: number, more: Partial<RowRecord> = {}): RowRecord {
  const lines = Array.from({ length: 12 }, (_, i) =>
    sampleLine({ id: `q${i}`, video: `v${i % 2}`, score: i < lost ? 0 : 1, more: { question: { text: nasty } } }),
  )
  return { id, name, changes: [], settings: [], notes: [], finished: true, lines, calls: [], stages: [], ...more }
}

const stage = (key: string, finished: string) => ({ stage: 'text', key, by: 'x/y', seconds: 2, finished })
const use = (role: string, madeBy: string) => ({
  role,
  purpose: 'plan',
  madeBy,
  seconds: 1,
  inputTokens: 1,
  outputTokens: 1,
})
const study = studyResult({
  benchmark: 'needle',
  name: 'ablate needle',
  design: 'one-at-a-time',
  seed: 1,
  started: '2026-01-02T00:00:00.000Z',
  tasks: ['open'],
  samples: 12,
  rows: [
    row('base', 'base', 0, {
      calls: [{ key: 'q0', used: [use('planner', 'base'), use('writer', 'base')] }],
      stages: [
        { video: 'v0', stages: [stage('a', '2026-01-01T00:00:00.000Z'), stage('b', '2026-01-03T00:00:00.000Z')] },
      ],
    }),
    row('bad', nasty, 11, {
      calls: [
        { key: 'q0', used: [use('planner', 'bad')] }, // of a question that was asked again after a kill
        { key: 'q0', used: [use('planner', 'base'), use('writer', 'bad')] },
      ],
      stages: [
        { video: 'v0', stages: [stage('b', '2026-01-03T00:00:00.000Z'), stage('c', '2026-01-03T00:00:01.000Z')] },
      ],
    }),
    row('null', 'null', 0),
  ],
})
const linesOf = (id: string) => row(id, '', id === 'bad' ? 11 : 0).lines

describe('the result of a study', () => {
  test('counts roles and stages of any name, and changes no other object by them', () => {
    for (const name of ['__proto__', 'constructor', 'planner']) {
      const [, other] = studyResult({
        ...{ benchmark: 'needle', name: 'x', design: 'one-at-a-time', seed: 1, started: '2026-01-02', tasks: ['open'] },
        samples: 12,
        rows: [
          row('base', 'base', 0),
          row('other', 'other', 0, {
            calls: [{ key: 'q0', used: [use(name, 'other')] }],
            stages: [{ video: 'v0', stages: [{ ...stage('a', '2026-01-03'), stage: name }] }],
          }),
        ],
      }).rows
      expect(Object.entries(other!.calls.roles), name).toEqual([[name, { made: 1, reused: 0 }]])
      expect(Object.entries(other!.stages.made), name).toEqual([[name, 1]])
      expect(Object.hasOwn(Object.prototype, 'made')).toBe(false)
    }
  })

  test('finds what was lost and nothing where nothing was, corrected over the rows', () => {
    const [, bad, none] = study.rows
    expect(bad!.differences[0]).toMatchObject({ n: 12, videos: 2, difference: (-100 * 11) / 12, worse: 11, better: 0 })
    expect(bad!.differences[0]!.p).toBeCloseTo(2 / 2 ** 11, 12)
    expect(bad!.differences[0]!.holm).toBeCloseTo(4 / 2 ** 11, 12)
    expect(none!.differences[0]).toMatchObject({ difference: 0, p: 1, holm: 1 })
    expect(bad!.flips).toHaveLength(11)
  })

  test('counts a stage and a call for the row that made them first', () => {
    const [base, bad] = study.rows
    expect(base.stages).toEqual({ made: { text: 1 }, reused: { text: 1 }, seconds: 2 })
    expect(bad!.stages).toEqual({ made: { text: 1 }, reused: { text: 1 }, seconds: 2 })
    expect(bad!.calls).toEqual({
      made: 1,
      reused: 1,
      roles: { planner: { made: 0, reused: 1 }, writer: { made: 1, reused: 0 } },
    })
  })
})

describe('what is written of a study', () => {
  test('as a page never becomes markup', () => {
    const page = writtenStudy('html', study, linesOf)
    expect(page).not.toContain('<img')
    expect(page.match(/<\/script>/g)).toHaveLength(2)
    expect(page).toMatch(/default-src 'none'; script-src 'sha256-/)
    expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
  })

  test('as Markdown keeps to its cells', () => {
    const rows = writtenStudy('md', study, linesOf)
      .split('\n')
      .filter(line => line.startsWith('|'))
    const cells = (line: string) => line.replaceAll('\\|', '').split('|').length
    expect(new Set(rows.slice(0, 4).map(cells)).size).toBe(1)
  })

  test('as LaTeX shows signs instead of obeying them', () => {
    const table = writtenStudy('tex', study, linesOf)
    expect(table).toContain('\\textbackslash{}write18\\{x\\} \\& 50\\_\\%')
    expect(table).not.toMatch(/[^\\]\\write18/)
  })

  test('as LaTeX and for the page says where the evidence landed, and nothing if no place is known', () => {
    const seen = sampleLine({ id: 'q', score: 1, rows: [{ span: { start: 12, end: 14 }, cited: true }] })
    const placed = studyResult({ ...study, rows: [row('base', 'a & b', 0, { lines: [seen] })] } as never)
    expect(writtenStudy('tex', placed, linesOf)).toContain(
      'a \\& b & open & 1 & 1 (100 \\%) & 2.0 & 100 (20.7-100), n 1 & -- & 0 & 0.0 \\\\',
    )
    const lines = [{ ...seen, clues: [] }]
    const unplaced = studyResult({ ...study, rows: [row('base', 'base', 0, { lines })] } as never)
    expect(writtenStudy('tex', unplaced, linesOf)).not.toContain('evidence landed')
  })

  test('as a table starts no formula', () => {
    const formula = studyResult({ ...study, rows: [row('base', 'base', 0), row('x', '=1+1', 3)] })
    expect(writtenStudy('csv', formula, linesOf)).toContain('"\'=1+1"')
    expect(writtenStudy('questions', study, linesOf).trim().split('\n')).toHaveLength(1 + 3 * 12)
  })
})
