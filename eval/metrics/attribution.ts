import type { Track } from '../../src/core/evidence.ts'
import { overlap, type Span } from '../../src/core/time.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { isStopWord, tokens } from '../../src/text/words.ts'
import type { AskRecord, KeptRow, SampleLine } from '../data/sample-line.ts'
import { gradeShortAnswer } from './short-answer.ts'

// Where on the way from the video to the verdict a question was lost; the first that applies, in this order.
export const causes = [
  'judge disagreement', // by its words the answer is right
  'not indexed', // the index holds nothing at the gold intervals
  'not retrieved', // the index does, but the agent saw none of it
  'not looked at', // it was among what the agent saw, but the answer neither rests on it nor did a tool look closer
  'misread', // it was looked at, but what was read there does not hold the right answer
  'evidence present but answer wrong',
] as const
export type FaultCause = (typeof causes)[number]

export interface Attribution {
  id: string
  task: string
  cause: FaultCause
}

export interface AttributionTable {
  wrong: number // answers that are wrong and have gold intervals
  counts: Record<FaultCause, number>
  groups: Record<string, Partial<Record<FaultCause, number>>> // by the first way of grouping
  withoutIntervals: number // wrong answers that cannot be attributed
  samples: Attribution[]
}

// Tasks that ask for an answer; where the clues are is another question. `browsing` names the tools that only list.
export function attribute(
  lines: readonly SampleLine[],
  tasks: readonly string[],
  groupedBy: string,
  browsing: ReadonlySet<string>,
): AttributionTable {
  const counts = Object.fromEntries(causes.map(cause => [cause, 0])) as Record<FaultCause, number>
  const table: AttributionTable = { wrong: 0, counts, groups: {}, withoutIntervals: 0, samples: [] }
  for (const line of lines)
    for (const task of tasks) {
      const score = line.grades[task]?.score ?? 1 // what has no score is not wrong
      const ask = line.asks.find(one => one.tasks.includes(task))
      if (score >= 0.5 || !ask || ask.error !== undefined) continue
      if (!line.clues || line.clues.length === 0) {
        table.withoutIntervals++
        continue
      }
      const cause = findCause(line, ask, task, line.clues, browsing)
      const group = line.groups[groupedBy] ?? 'other'
      table.wrong++
      counts[cause]++
      table.groups[group] = { ...table.groups[group], [cause]: (table.groups[group]?.[cause] ?? 0) + 1 }
      table.samples.push({ id: line.id, task, cause })
    }
  return table
}

function findCause(
  line: SampleLine,
  ask: AskRecord,
  task: string,
  clues: readonly Span[],
  browsing: ReadonlySet<string>,
): FaultCause {
  if (line.judge && task in line.replies && isRightByWords(line, task)) return 'judge disagreement'
  const needed = tracksFor(line.modalities)
  if (!ask.indexed.some(({ rows }) => rows.some(track => needed.includes(track)))) return 'not indexed'
  const seen = ask.evidence.filter(row => isAt(row, clues) && row.track !== 'summary')
  if (seen.length === 0) return 'not retrieved'
  const close = closeLooks(ask, browsing)
  const read = seen.filter(row => row.cited || close.has(row.id))
  if (read.length === 0) return 'not looked at'
  return holdsAnswer(read, line, ask) ? 'evidence present but answer wrong' : 'misread'
}

function isRightByWords(line: SampleLine, task: string): boolean {
  if (line.reference === undefined || line.judge?.by === 'words') return false
  const grade = gradeShortAnswer(line.replies[task] ?? '', line.reference, line.question.text)
  return grade.score === 1 && grade.rule !== 'partly'
}

// What each modality that the data name would be found in; any track where they name none.
function tracksFor(modalities: readonly string[] = []): Track[] {
  const tracks = modalities.flatMap(name => modalityTracks.get(name) ?? [])
  return tracks.length > 0 ? tracks : ['speech', 'text', 'sound', 'picture']
}

const modalityTracks = new Map<string, Track[]>(
  Object.entries({
    speech: ['speech'],
    audio: ['sound', 'speech'],
    audio_environment: ['sound'],
    visual: ['text', 'picture'],
    text: ['text'],
    text_extraction: ['text'],
    text_overlay: ['text'],
  }),
)

// Times of annotations and of recognisers differ by a little.
const slack = 1

export function isAt(row: KeptRow, clues: readonly Span[]): boolean {
  return clues.some(clue => overlap({ start: clue.start - slack, end: clue.end + slack }, withLength(row.span)) > 0)
}

function withLength({ start, end }: Span): Span {
  return { start, end: Math.max(end, start + 0.01) }
}

// Rows that came from looking, listening or reading at a place, not from a list of hits.
function closeLooks({ steps }: AskRecord, browsing: ReadonlySet<string>): Set<string> {
  return new Set(steps.filter(step => !browsing.has(step.tool)).flatMap(step => step.evidence))
}

// Whether the words of the right answer that the question does not say are in what was read.
function holdsAnswer(rows: readonly KeptRow[], line: SampleLine, ask: AskRecord): boolean {
  const offered = ask.question.options !== undefined && line.choice !== undefined
  const right = offered ? line.question.options?.[line.choice ?? 0] : line.reference
  if (right === undefined) return true
  const questionStems = new Set(tokens(line.question.text).map(token => token.stem))
  const words = tokens(right).filter(token => !isStopWord(token.text))
  const answerWords = words.filter(token => !questionStems.has(token.stem))
  return coverage(answerWords.length > 0 ? answerWords : words, rows.map(row => row.text).join('\n')) >= 0.5
}
