import type { Answer, RunEvent, Verdict } from '../../../../src/core/agent.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import { callSpan } from '../../../../src/core/run/call-span.ts'
import { laneMarks, type MarkedSpan } from '../../../../src/core/run/step-spans.ts'
import type { Span } from '../../../../src/core/time.ts'

// What happens in a run, as it is shown while it goes on and after it.
export type FilmItem =
  | { kind: 'step'; name: string; round: number }
  | { kind: 'plan'; text: string }
  | { kind: 'call'; call: FilmCall }
  | { kind: 'draft'; text: string }
  | { kind: 'verdict'; sentence: string; verdict: Verdict; reason: string }
  | { kind: 'note'; text: string }

export interface FilmCall {
  tool: string
  input: unknown
  outcome?: 'found' | 'nothing' | 'refused' | 'failed' | 'repeated' // absent: it is under way
  found: number
  text?: string
  span?: ReturnType<typeof callSpan>
  rows: readonly string[]
}

export interface Film {
  question?: string
  options?: readonly string[]
  items: readonly FilmItem[]
  rows: ReadonlyMap<string, Evidence>
  answer?: Answer
  duration: number
}

export const emptyFilm: Film = { items: [], rows: new Map(), duration: 0 }

// The film with some more events. What was there is not changed.
export function filmWith(film: Film, events: readonly RunEvent[]): Film {
  let items = [...film.items]
  const rows = new Map(film.rows)
  let { question, options, answer, duration } = film
  for (const event of events) {
    if (event.type === 'run') {
      question = event.question.refers?.asked ?? event.question.text
      options = event.question.options
      duration = event.video.duration
      // What was under way when the run was stopped is made again.
      items = items.filter(item => item.kind !== 'call' || item.call.outcome !== undefined)
    } else if (event.type === 'evidence') rows.set(event.evidence.id, event.evidence)
    else if (event.type === 'answer') answer = event.answer
    else take(items, event, duration)
  }
  return {
    items,
    rows,
    duration,
    ...(question !== undefined && { question }),
    ...(options && { options }),
    ...(answer && { answer }),
  }
}

function take(items: FilmItem[], event: RunEvent, duration: number): void {
  if (event.type === 'step') items.push({ kind: 'step', name: event.name, round: event.round })
  else if (event.type === 'plan') items.push({ kind: 'plan', text: event.text })
  else if (event.type === 'note') items.push({ kind: 'note', text: event.text })
  else if (event.type === 'verdict') {
    const { sentence, verdict, reason } = event
    items.push({ kind: 'verdict', sentence, verdict, reason })
  } else if (event.type === 'token') {
    const last = items.at(-1)
    if (last?.kind === 'draft') items[items.length - 1] = { kind: 'draft', text: last.text + event.text }
    else items.push({ kind: 'draft', text: event.text })
  } else if (event.type === 'tool-start') {
    const { tool, input } = event
    items.push({ kind: 'call', call: { tool, input, found: 0, rows: [] } })
  } else if (event.type === 'tool-end') {
    const { tool, input, outcome, evidence, text } = event.step
    const span = callSpan({ kind: event.kind, input, outcome }, duration)
    const call: FilmCall = { tool, input, outcome, found: evidence.length, rows: evidence, ...(text && { text }), span }
    const begun = items.findIndex(
      item => item.kind === 'call' && item.call.outcome === undefined && isSame(item.call, tool, input),
    )
    if (begun === -1) items.push({ kind: 'call', call })
    else items[begun] = { kind: 'call', call }
  }
}

// The input may have been repaired before the call.
function isSame(call: FilmCall, tool: string, input: unknown): boolean {
  return call.tool === tool && JSON.stringify(call.input) === JSON.stringify(input)
}

// Spans of the video that it searched, looked at and cites.
export function listMarks(
  film: Film,
  rows: ReadonlyMap<string, MarkedSpan> = film.rows,
): Record<'searched' | 'looked' | 'cited', Span[]> {
  const rowOf = (id: string): MarkedSpan[] => {
    const row = rows.get(id)
    return row ? [{ id, span: row.span, track: row.track }] : []
  }
  const tools = film.items.flatMap(item =>
    item.kind === 'call' ? [{ span: item.call.span, found: item.call.rows.flatMap(rowOf) }] : [],
  )
  const cited = listCites(film.answer).flatMap(rowOf)
  const marks = laneMarks([{ step: 1, tools }], cited)
  const spans = (lane: keyof typeof marks) => marks[lane].map(({ span }) => span)
  return { searched: spans('searched'), looked: spans('looked'), cited: spans('cited') }
}

// The ids of the rows that an answer cites, each once, in its order.
export function listCites(answer: Answer | undefined): string[] {
  return [...new Set(answer?.sentences.flatMap(({ cites }) => cites) ?? [])]
}
