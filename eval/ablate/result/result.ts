import { stableJson } from '../../../src/core/json.ts'
import type { AskRecord, SampleLine } from '../../data/sample-line.ts'
import { type Aim, measureAims } from '../../metrics/aim.ts'
import { mean } from '../../metrics/statistics/clusters.ts'
import { holm } from '../../metrics/statistics/significance.ts'
import { type BaseFirst, mapRows } from '../matrix/rows.ts'
import { compareTask, type Difference, fewVideos, type Pair } from '../statistics/difference.ts'
import type { RowRecord, StudyRecord } from './records.ts'
import { type FrameSweep, sweepsIn } from './sweep.ts'

// Everything that any form of the report shows of a study. Scores and differences are in points of a hundred.
export interface StudyResult extends Omit<StudyRecord, 'rows'> {
  format: 1
  rows: BaseFirst<RowResult>
  sweeps: FrameSweep[]
  notes: string[]
}

export interface RowResult extends RowScores {
  id: string
  name: string
  changes: string[]
  settings: string[]
  notes: string[]
  finished: boolean
  samples: number // asked so far
  failed: number
  cost: RowCost // of a question
  stages: StageReuse
  calls: CallReuse
}

// What a row scores, and where it differs from the base.
interface RowScores {
  scores: Record<string, number> // by task, over all questions that were asked
  differences: Difference[] // by task; none for the base
  aim: Aim[] // by task, of questions with a known place
  groups: GroupComparison[]
  flips: Flip[]
}

// Means over the questions. A reply that was taken from another row counts with the time and the tokens it took there.
interface RowCost {
  questions: number
  seconds: number
  calls: number
  tokens: number
  frames: number
  money: number
}

export interface GroupComparison {
  way: string
  value: string
  task: string
  n: number
  base: number
  row: number
}

// A question that was right under one and wrong under the other; half and more of the points is right.
export interface Flip {
  id: string
  task: string
  base: number // 0..1
  row: number
}

export function studyResult(record: StudyRecord): StudyResult {
  const [base] = record.rows
  const reuse = stageReuse(record)
  const rows = mapRows(record.rows, (row): RowResult => {
    const pairs =
      row === base ? [] : record.tasks.map(task => ({ task, pairs: pairLines(task, base.lines, row.lines) }))
    const differences = pairs.flatMap(({ task, pairs }) => compareTask(task, pairs, record.seed) ?? [])
    return {
      id: row.id,
      name: row.name,
      changes: row.changes,
      settings: row.settings,
      notes: row.notes,
      finished: row.finished,
      samples: row.lines.length,
      failed: row.lines.filter(line => line.error !== undefined).length,
      scores: computeScores(row.lines, record.tasks),
      differences,
      cost: computeCost(row),
      aim: measureAims(row.lines, record.tasks),
      stages: reuse.get(row) ?? { made: {}, reused: {}, seconds: 0 },
      calls: callReuse(row),
      groups: compareGroups(base.lines, row.lines, record.tasks),
      flips: pairs.flatMap(({ task, pairs }) =>
        pairs
          .filter(pair => pair.base >= 0.5 !== pair.row >= 0.5)
          .map(({ id, base, row }) => ({ id, task, base, row })),
      ),
    }
  })
  correct(rows, record.tasks)
  const { rows: _, ...study } = record
  return { format: 1, ...study, rows, sweeps: sweepsIn(rows, record.tasks), notes: writeNotes(record, rows) }
}

// Holm over the rows, in each task for itself.
function correct(rows: readonly RowResult[], tasks: readonly string[]): void {
  for (const task of tasks) {
    const all = rows.flatMap(row => row.differences.filter(one => one.task === task))
    const corrected = holm(all.map(one => one.p))
    for (const [at, one] of all.entries()) one.holm = corrected[at] ?? one.p
  }
}

// The same questions under both; what was not judged or not answered counts as 0.
export function pairLines(task: string, base: readonly SampleLine[], row: readonly SampleLine[]): Pair[] {
  const other = new Map(row.map(line => [line.id, line]))
  return base.flatMap(line => {
    const twin = other.get(line.id)
    const [a, b] = [line.grades[task], twin?.grades[task]]
    if (!twin || !a || !b) return []
    const isOther = stableJson(readAnswer(line, task)) !== stableJson(readAnswer(twin, task))
    return [{ id: line.id, video: line.video, base: a.score ?? 0, row: b.score ?? 0, isOther }]
  })
}

// The choice that was read of a reply, or else its words.
function readAnswer({ grades, replies }: SampleLine, task: string): unknown {
  const { value } = grades[task] ?? {}
  return typeof value === 'string' && value.length === 1 ? value : (replies[task] ?? null)
}

function computeScores(lines: readonly SampleLine[], tasks: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    tasks.flatMap(task => {
      const scores = lines.flatMap(line => (line.grades[task] ? [line.grades[task].score ?? 0] : []))
      return scores.length === 0 ? [] : [[task, 100 * mean(scores)]]
    }),
  )
}

function computeCost({ lines, calls, id }: RowRecord): RowCost {
  const asks = lines.flatMap(line => line.asks.map(ask => ({ ask, key: `${line.id}-${ask.name}` })))
  const answered = asks.filter(({ ask }) => ask.error === undefined)
  const reusedBy = new Map(calls.map(({ key, used }) => [key, used.filter(use => use.madeBy !== id)]))
  const meanOf = (of: (ask: AskRecord, key: string) => number) =>
    answered.length === 0 ? 0 : mean(answered.map(({ ask, key }) => of(ask, key)))
  return {
    questions: answered.length,
    seconds: meanOf((ask, key) => ask.seconds + (reusedBy.get(key) ?? []).reduce((sum, use) => sum + use.seconds, 0)),
    calls: meanOf(ask => ask.usage.calls),
    tokens: meanOf(ask => ask.usage.inputTokens + ask.usage.outputTokens),
    frames: meanOf(ask => ask.usage.frames),
    money: meanOf(ask => ask.usage.money),
  }
}

function compareGroups(
  base: readonly SampleLine[],
  row: readonly SampleLine[],
  tasks: readonly string[],
): GroupComparison[] {
  const groups = new Map(base.map(line => [line.id, line.groups]))
  const cells = new Map<string, { way: string; value: string; task: string; pairs: Pair[] }>()
  for (const task of tasks)
    for (const pair of pairLines(task, base, row))
      for (const [way, value] of Object.entries(groups.get(pair.id) ?? {})) {
        if (value === '') continue
        const key = JSON.stringify([way, value, task])
        const cell = cells.get(key) ?? { way, value, task, pairs: [] }
        cell.pairs.push(pair)
        cells.set(key, cell)
      }
  return [...cells.values()].map(({ pairs, ...cell }) => ({
    ...cell,
    n: pairs.length,
    base: 100 * mean(pairs.map(pair => pair.base)),
    row: 100 * mean(pairs.map(pair => pair.row)),
  }))
}

function writeNotes({ samples, rows: [base] }: StudyRecord, results: readonly RowResult[]): string[] {
  const unfinished = results.filter(row => !row.finished)
  const videos = new Set(base.lines.map(line => line.video)).size
  const failed = results.filter(row => row.failed > 0)
  const lost = failed.map(row => `${row.name} ${row.failed}`).join(', ')
  const notes: [isDue: boolean, note: string][] = [
    [
      unfinished.length > 0,
      `The study is not over: ${unfinished.length} of ${results.length} rows are not done. What is shown is of the questions that both have.`,
    ],
    [
      videos < fewVideos,
      `Only ${videos} video${videos === 1 ? '' : 's'}: results may not generalise to others. The interval by question is shown as well, and the test goes by question.`,
    ],
    [failed.length > 0, `Questions that could not be asked count as wrong: ${lost} of ${samples}.`],
  ]
  return notes.flatMap(([isDue, note]) => (isDue ? [note] : []))
}

// What a row made of the indexes and what was there already, by stage: how many videos.
interface StageReuse {
  made: Record<string, number>
  reused: Record<string, number>
  seconds: number // that the making took
}

// The model calls that a row needed: those it made, and those whose replies another row had already.
interface CallReuse {
  made: number
  reused: number
  roles: Record<string, { made: number; reused: number }>
}

// A result counts as made by the first row that needs it, unless it was there before the study began. It goes by what is on
// disk and not by what a process did, so that a study that was killed has the same counts.
function stageReuse({ rows, started }: StudyRecord): Map<RowRecord, StageReuse> {
  const seen = new Set<string>()
  const ofRow = (stages: RowRecord['stages']) => {
    const reuse: StageReuse = { made: Object.create(null), reused: Object.create(null), seconds: 0 }
    const ownCalls: string[] = []
    for (const { video, stages: list } of keepLastByName(stages, one => one.video))
      for (const { stage, key, seconds, finished } of list) {
        const name = `${video} ${stage} ${key}`
        const isNew = finished >= started && !seen.has(name)
        const counts = isNew ? reuse.made : reuse.reused
        counts[stage] = (counts[stage] ?? 0) + 1
        if (isNew) reuse.seconds += seconds
        ownCalls.push(name)
      }
    for (const name of ownCalls) seen.add(name)
    return reuse
  }
  return new Map(rows.map(row => [row, ofRow(row.stages)]))
}

function callReuse({ id, calls }: RowRecord): CallReuse {
  const reuse: CallReuse = { made: 0, reused: 0, roles: Object.create(null) }
  for (const { used } of keepLastByName(calls, one => one.key))
    for (const { role, madeBy } of used) {
      const kind = madeBy === id ? 'made' : 'reused'
      const ofRole = reuse.roles[role] ?? { made: 0, reused: 0 }
      ofRole[kind]++
      reuse.roles[role] = ofRole
      reuse[kind]++
    }
  return reuse
}

function keepLastByName<T>(list: readonly T[], name: (one: T) => string): T[] {
  return [...new Map(list.map(one => [name(one), one])).values()]
}
