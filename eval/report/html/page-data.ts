import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absentAs } from '../../../src/core/errors.ts'
import type { Cause } from '../../attribution.ts'
import type { AskRecord, SampleLine, TaskGrade } from '../../runner/line.ts'
import type { RunReport } from '../run-report.ts'
import { nameOf, type ReportTable, reportTables } from '../tables.ts'

// What the page is made of: plain JSON, written into it.
export interface PageData {
  runs: PageRun[]
}

export interface PageRun {
  name: string
  title: string
  finished: boolean
  notes: string[]
  counts: RunReport['counts']
  tasks: RunReport['tasks']
  groups: RunReport['groups']
  calibration: RunReport['calibration']
  seconds: number[] // of each question, as the two below
  tokens: number[]
  money: number[]
  attribution: { counts: Record<Cause, number>; wrong: number }
  tables: ReportTable[]
  samples: PageSample[]
  framesLeftOut: number
}

export interface PageSample {
  id: string
  video: string
  groups: Record<string, string>
  question: string
  options?: string[]
  choice?: number
  reference?: string
  turns: { question: string; answer: string }[]
  clues: { start: number; end: number }[]
  error?: string
  tasks: PageTask[]
  asks: PageAsk[]
  judge?: SampleLine['judge']
}

export interface PageTask extends TaskGrade {
  task: string
  reply: string | null
  cause?: Cause
}

export interface PageAsk extends Omit<AskRecord, 'frames' | 'indexed' | 'index' | 'question'> {
  more: number // rows of the ledger that are not shown
  frames: { time: number; row: string; source: string }[]
}

const mostRows = 24 // of the ledger beyond those that are cited
const frameBytes = 24_000_000 // all together; the page must open on any machine

export async function pageData(reports: readonly RunReport[]): Promise<PageData> {
  const budget = { left: frameBytes }
  const runs: PageRun[] = []
  for (const report of reports) runs.push(await pageRun(report, budget))
  return { runs }
}

async function pageRun(report: RunReport, budget: { left: number }): Promise<PageRun> {
  const { run, counts, tasks, groups, calibration, attribution, lines, notes, finished } = report
  const reader = frameReader(report.folder, budget)
  const samples: PageSample[] = []
  for (const line of lines) samples.push(await pageSample(line, attribution.samples, reader.read))
  return {
    name: nameOf(report),
    title: `${run.benchmark}${run.split ? `, ${run.split}` : ''}`,
    finished,
    notes,
    counts,
    tasks,
    groups,
    calibration,
    seconds: lines.flatMap(line => line.asks.map(ask => ask.seconds)),
    tokens: lines.flatMap(line => line.asks.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    money: lines.flatMap(line => line.asks.map(({ usage }) => usage.money)),
    attribution: { counts: attribution.counts, wrong: attribution.wrong },
    tables: reportTables(report),
    samples,
    framesLeftOut: reader.leftOut(),
  }
}

async function pageSample(
  line: SampleLine,
  causes: RunReport['attribution']['samples'],
  read: (file: string) => Promise<string | undefined>,
): Promise<PageSample> {
  const { id, video, groups, question, choice, reference, turns, clues = [], error, judge } = line
  const asks: PageAsk[] = []
  for (const ask of line.asks) asks.push(await pageAsk(ask, read))
  return {
    id,
    video,
    groups,
    question: question.text,
    options: question.options,
    choice,
    reference,
    turns,
    clues,
    error,
    asks,
    judge,
    tasks: Object.entries(line.grades).map(([task, grade]) => ({
      ...grade,
      task,
      reply: line.replies[task] ?? null,
      cause: causes.find(one => one.id === id && one.task === task)?.cause,
    })),
  }
}

async function pageAsk(
  { frames, indexed: _, index: __, question: ___, evidence, ...ask }: AskRecord,
  read: (file: string) => Promise<string | undefined>,
): Promise<PageAsk> {
  const cited = evidence.filter(row => row.cited)
  const others = evidence.filter(row => !row.cited)
  const shown: PageAsk['frames'] = []
  for (const { time, row, file } of frames) {
    const source = await read(file)
    if (source) shown.push({ time, row, source })
  }
  return {
    ...ask,
    evidence: [...cited, ...others.slice(0, mostRows)],
    more: Math.max(0, others.length - mostRows),
    frames: shown,
  }
}

// Frames as addresses that hold the picture itself. The same frame of two questions counts twice; most are cited once.
function frameReader(folder: string, budget: { left: number }) {
  let leftOut = 0
  return {
    leftOut: () => leftOut,
    async read(file: string): Promise<string | undefined> {
      if (!/^frames\/[\w.-]+\.jpg$/.test(file)) return undefined
      const bytes = await readFile(join(folder, file)).catch(absentAs(undefined))
      if (!bytes) return undefined
      if (budget.left < bytes.length) {
        leftOut++
        return undefined
      }
      budget.left -= bytes.length
      return `data:image/jpeg;base64,${bytes.toString('base64')}`
    },
  }
}
