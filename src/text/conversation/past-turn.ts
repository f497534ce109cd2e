import type { Question, Turn } from '../../core/agent.ts'
import { byTime, type Evidence } from '../../core/evidence.ts'
import { mergeSpans, overlap, type Span, spanLength } from '../../core/time.ts'

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
  const own = cited.filter(({ text }) => !aside.test(text))
  const main = (own[0] ?? cited[0])?.rows ?? [...rows]
  const listed = showings(main)
  return {
    question: turn.question,
    answer: answer?.text ?? turn.reference ?? '',
    choice: answer?.choice,
    abstained: answer?.abstained ?? false,
    main,
    items: listed.length > 1 || own.length < 2 ? listed : own.map(sentence => sentence.rows),
  }
}

// The moment of an answer: that of its rows where they lie together, else of the first.
export function momentOf({ main }: PastTurn): Span | undefined {
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
