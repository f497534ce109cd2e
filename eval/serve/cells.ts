import type { ReportDetails, ReportQuestion, shows } from '../../src/core/api/report.ts'
import { compareSteps } from '../../src/core/run/compare-steps.ts'
import type { SampleLine } from '../data/sample-line.ts'
import type { ConfigurationRow } from './configurations.ts'

type Cell = ReportDetails['questions'][number]['cells'][number]

export interface CellQuery {
  line: SampleLine
  cells: Cell[]
}

const unsure = 0.5

// A question under one configuration; none if it was not asked there.
export function buildCell(
  { configuration, run, lines }: ConfigurationRow,
  id: string,
  all: readonly ConfigurationRow[],
): Cell[] {
  const line = findLine(lines, id)
  if (!line) return []
  const answers = line.asks.flatMap(({ answer }) => answer ?? [])
  const sure = answers.map(({ confidence }) => confidence)
  const first = all.map(one => findLine(one.lines, id)).find(one => one?.asks.some(({ answer }) => answer))
  return [
    {
      configuration,
      run,
      state: classifyLine(line),
      scores: Object.fromEntries(Object.entries(line.grades).map(([task, { score }]) => [task, score])),
      different: first !== undefined && saidIn(first) !== saidIn(line),
      ...(sure.length > 0 && { confidence: Math.min(...sure) }),
      abstained: answers.some(({ abstained }) => abstained),
    },
  ]
}

export function fits(cells: readonly Cell[], show: (typeof shows)[number]): boolean {
  if (show === 'all') return true
  if (show === 'different') return cells.some(({ different }) => different)
  if (show === 'confidence') return cells.some(({ confidence = 1 }) => confidence < unsure)
  return cells.some(({ state }) => state === show)
}

const byId = new WeakMap<readonly SampleLine[], Map<string, SampleLine>>()

function findLine(lines: readonly SampleLine[], id: string): SampleLine | undefined {
  const linesById = byId.get(lines) ?? new Map(lines.map(line => [line.id, line]))
  byId.set(lines, linesById)
  return linesById.get(id)
}

function classifyLine({ error, grades }: SampleLine): Cell['state'] {
  const scores = Object.values(grades).map(({ score }) => score)
  if (error !== undefined) return 'error'
  if (scores.some(score => score !== null && score < 0.5)) return 'wrong'
  return scores.length === 0 || scores.includes(null) ? 'not judged' : 'right'
}

// The choices if there are options, else whether it was right: wordings differ each time.
function saidIn(line: SampleLine): string {
  const answerTexts = line.asks.map(({ answer }) => answer?.choice ?? (answer?.abstained ? 'abstained' : 'answered'))
  return JSON.stringify([answerTexts, classifyLine(line)])
}

// A question under every configuration, step by step.
export function askedQuestion(all: readonly ConfigurationRow[], id: string): ReportQuestion | undefined {
  const askedLines = all.flatMap(one => {
    const line = findLine(one.lines, id)
    return line ? [{ one, line }] : []
  })
  const [first] = askedLines
  if (!first) return undefined
  const { question, video, groups, reference, choice, clues } = first.line
  const options = question.options ?? first.line.asks.find(ask => ask.question.options)?.question.options
  return {
    question: id,
    text: question.text,
    video,
    groups,
    ...(options && { options }),
    ...(reference !== undefined && { reference }),
    ...(choice !== undefined && { choice }),
    ...(clues && { clues }),
    cells: askedLines.flatMap(({ one, line }) =>
      buildCell(one, id, all).map(cell => ({
        ...cell,
        ...(line.error !== undefined && { error: line.error }),
        asks: line.asks.map(ask => buildAsk(ask, line === first.line ? undefined : first.line)),
      })),
    ),
  }
}

function buildAsk(
  { name, tasks, question, answer, error, stop, seconds, usage, steps, evidence }: SampleLine['asks'][number],
  first: SampleLine | undefined,
): ReportQuestion['cells'][number]['asks'][number] {
  const before = first?.asks.find(ask => ask.name === name)
  const { divergence } = before ? compareSteps(before.steps, steps) : {}
  return {
    tasks,
    question,
    answer,
    error,
    stop,
    seconds,
    usage,
    steps,
    evidence,
    ...(divergence && { divergence }),
  }
}
