import type { ReportTable } from '../../report/tables.ts'
import type { AskRecord, SampleLine } from '../../runner/line.ts'
import { type Parting, partingOf } from '../part.ts'
import type { RowResult, StudyResult } from '../study/result.ts'
import { studyTables, verdict } from './tables.ts'

// What the page is made of: plain JSON, written into it.
export interface StudyPage {
  title: string
  name: string
  facts: string
  notes: string[]
  tasks: string[]
  rows: PageRow[]
  tables: ReportTable[]
  flips: PageFlip[]
  flipsLeftOut: number
}

export interface PageRow extends Pick<RowResult, 'id' | 'name' | 'scores' | 'cost' | 'groups' | 'finished'> {
  differences: (Pick<
    RowResult['differences'][number],
    'task' | 'n' | 'videos' | 'difference' | 'interval' | 'questionInterval' | 'holm'
  > & { verdict: 'worse' | 'better' | 'no difference found' })[]
}

export interface PageFlip {
  row: string // id
  task: string
  id: string
  video: string
  group: string
  question: string
  options?: string[]
  choice?: number
  reference?: string
  gained: boolean // right under the row, wrong under the base
  parting: Parting
  base: PageSide
  changed: PageSide
}

export interface PageSide {
  score: number
  reply: string | null
  error?: string
  confidence?: number
  steps: { tool: string; input: string; outcome: string; rows: number; notes: string }[]
  cited: { start: number; end: number; track: string; text: string }[]
}

const mostFlips = 400
const mostCharacters = 400

// `linesOf` gives the sample lines of a row.
export function studyPage(study: StudyResult, linesOf: (row: string) => readonly SampleLine[]): StudyPage {
  const [base] = study.rows
  const before = new Map(linesOf(base.id).map(line => [line.id, line]))
  const flips = study.rows.flatMap(row => {
    const after = new Map(linesOf(row.id).map(line => [line.id, line]))
    return row.flips.flatMap(flip => {
      const [a, b] = [before.get(flip.id), after.get(flip.id)]
      return a && b ? [pageFlip(row.id, flip, a, b)] : []
    })
  })
  return {
    title: `${study.benchmark}${study.split ? `, ${study.split}` : ''}`,
    name: study.name,
    facts: `${study.rows.length} rows, ${study.samples} questions, ${study.design}, seed ${study.seed}, started ${study.started}`,
    notes: study.notes,
    tasks: [...study.tasks],
    rows: study.rows.map(({ id, name, scores, cost, groups, finished, differences }) => ({
      ...{ id, name, scores, cost, groups, finished },
      differences: differences.map(one => ({
        task: one.task,
        n: one.n,
        videos: one.videos,
        difference: one.difference,
        interval: one.interval,
        questionInterval: one.questionInterval,
        holm: one.holm,
        verdict: verdict(one),
      })),
    })),
    tables: studyTables(study).map(table => ({
      ...table,
      notes: table.notes.filter(note => !study.notes.includes(note)), // they stand on top
    })),
    flips: flips.slice(0, mostFlips),
    flipsLeftOut: Math.max(0, flips.length - mostFlips),
  }
}

function pageFlip(
  row: string,
  { id, task, base, row: score }: RowResult['flips'][number],
  a: SampleLine,
  b: SampleLine,
): PageFlip {
  const [before, after] = [askOf(a, task), askOf(b, task)]
  return {
    ...{ row, task, id },
    video: a.video,
    group: Object.values(a.groups).join(', '),
    question: [...a.turns.map(turn => `${turn.question} ${turn.answer}`), a.question.text].join(' / '),
    options: after?.question.options,
    choice: a.choice,
    reference: a.reference,
    gained: score >= 0.5,
    parting: partingOf(before ?? { steps: [] }, after ?? { steps: [] }),
    base: side(base, a.replies[task] ?? null, before),
    changed: side(score, b.replies[task] ?? null, after),
  }
}

function askOf(line: SampleLine, task: string): AskRecord | undefined {
  return line.asks.find(ask => ask.tasks.includes(task))
}

function side(score: number, reply: string | null, ask: AskRecord | undefined): PageSide {
  return {
    score,
    reply: reply === null ? null : cut(reply),
    error: ask?.error,
    confidence: ask?.answer?.confidence,
    steps: (ask?.steps ?? []).map(step => ({
      tool: step.tool,
      input: cut(JSON.stringify(step.input) ?? ''),
      outcome: step.outcome,
      rows: step.evidence.length,
      notes: cut(step.notes.join(' ')),
    })),
    cited: (ask?.evidence ?? [])
      .filter(row => row.cited)
      .map(({ span, track, text }) => ({ ...span, track, text: cut(text) })),
  }
}

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text
}
