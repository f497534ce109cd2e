import type { Question, Turn } from '../../core/agent.ts'
import { byTime, type Evidence } from '../../core/evidence.ts'
import { clockTime, mergeSpans, overlap, parseTime, type Span, spanLength } from '../../core/time.ts'
import type { VideoIndex } from '../../core/video.ts'
import { coverage } from '../word-similarity.ts'
import { tellingWords } from '../words.ts'

// An earlier turn as later questions point at it.
export interface PastTurn {
  question: Question
  answer: string
  choice?: number
  abstained: boolean
  main: Evidence[] // what the answer itself rests on
  items: Evidence[][] // the things that it lists, in its order
}

// What an answer says besides itself: the moment it started from, the nearest thing where nothing was found.
const aside = /^(the moment asked about|meanwhile|the first time|to the question|the nearest( is)?)\b/i

export function pastTurn(turn: Turn, rows: readonly Evidence[]): PastTurn {
  const byId = new Map(rows.map(row => [row.id, row]))
  const { answer } = turn
  const cited = (answer?.sentences ?? [])
    .map(({ text, cites }) => ({ text, rows: cites.map(id => byId.get(id)).filter(row => row !== undefined) }))
    .filter(sentence => sentence.rows.length > 0)
  const mainSentences = cited.filter(({ text }) => !aside.test(text))
  const main = (mainSentences[0] ?? cited[0])?.rows ?? [...rows]
  const listed = showings(main)
  return {
    question: turn.question,
    answer: answer?.text ?? turn.reference ?? '',
    choice: answer?.choice,
    abstained: answer?.abstained ?? false,
    main,
    items: listed.length > 1 || mainSentences.length < 2 ? listed : mainSentences.map(sentence => sentence.rows),
  }
}

// The moment of an answer: that of its rows where they lie together, else of the first.
export function answerMoment({ main }: PastTurn): Span | undefined {
  const [first] = mergeSpans(
    main.map(row => row.span),
    3,
  )
  return first
}

// Rows that are there at the same time are one thing: a slide of several lines.
function showings(rows: readonly Evidence[]): Evidence[][] {
  const groups: Evidence[][] = []
  for (const row of [...rows].sort(byTime)) {
    const home = groups.find(group => group.some(other => together(other, row)))
    if (home) home.push(row)
    else groups.push([row])
  }
  return groups
}

function together(a: Evidence, b: Evidence): boolean {
  return overlap(a.span, b.span) > 0.5 * Math.min(spanLength(a.span), spanLength(b.span))
}

const minCoverage = 0.35 // of the answer's words that a line must hold to support it
const maxRows = 3

// The rows that an earlier turn rests on. A reference answer names none, so the lines that say the same are looked up.
export async function rowsOfTurn(
  turn: Turn,
  index: VideoIndex,
  known: (id: string) => Evidence | undefined,
): Promise<Evidence[]> {
  const rowsById = new Map((turn.evidence ?? []).map(row => [row.id, row]))
  const cites = [...new Set((turn.answer?.sentences ?? []).flatMap(sentence => sentence.cites))]
  const rows = cites.map(id => rowsById.get(id) ?? known(id)).filter(row => row !== undefined)
  if (rows.length > 0 || turn.evidence) return rows.length > 0 ? rows : (turn.evidence ?? [])
  return turn.reference ? saying(turn.question.text, turn.reference, index) : []
}

async function saying(question: string, reference: string, index: VideoIndex): Promise<Evidence[]> {
  const stated = statedSpan(reference)
  const there = stated && index.evidence({ span: stated }).filter(isTelling)
  const hits = await index.search({ query: `${reference} ${question}`.slice(0, 400), k: 24 })
  const foundRows = hits.map(hit => hit.evidence).filter(isTelling)
  const pool = there && there.length > 0 ? there : foundRows
  const answer = tellingWords(reference)
  const questionWords = tellingWords(question)
  const scored = pool
    .map(row => {
      const saidScore = coverage(answer, row.text)
      return { row, said: saidScore, score: saidScore + 0.4 * coverage(questionWords, row.text) }
    })
    .sort((a, b) => b.score - a.score)
  const [best] = scored
  if (!best || (best.said < minCoverage && !stated)) return []
  return scored
    .filter(({ score }) => score >= best.score - 0.1)
    .slice(0, maxRows)
    .map(({ row }) => row)
}

function statedSpan(text: string): Span | undefined {
  const times = [...text.matchAll(new RegExp(String.raw`\b${clockTime}\b`, 'g'))].flatMap(
    ([time]) => parseTime(time) ?? [],
  )
  const [first, second = 0] = times
  return first === undefined ? undefined : { start: Math.max(0, first - 1), end: Math.max(first + 1, second) }
}

function isTelling(row: Evidence): boolean {
  return ['speech', 'text', 'sound'].includes(row.track) && row.text.trim() !== ''
}
