import type { Evidence } from '../../src/core/evidence.ts'
import { type Picture, timesIn } from '../../src/core/sight/picture.ts'
import { formatSpan, type Span } from '../../src/core/time.ts'
import { statedTimes } from '../../src/text/times-in-prose.ts'
import type { AgentSession } from '../session.ts'
import type { RunState, Update } from '../state.ts'

const longest = 600 // characters of one remark

// What the planner says of pictures that it alone has seen becomes rows, so that sentences can rest on it: what follows the id of
// a picture's row, to the next id, is what that picture shows. Text without any id is of the pictures of the last round.
export function heedRemarks(session: AgentSession, said: string, shown: readonly Picture[]): void {
  const pictures = new Map(shown.flatMap(picture => (picture.row ? [[picture.row, picture]] : [])))
  const remarks: { picture: Picture; words: string[] }[] = []
  for (const line of said.split('\n')) {
    const [, id = '', words = ''] = /^[^a-z0-9]*([a-z][0-9a-f]{10})\b[^\p{L}\p{N}]*(.*)$/u.exec(line.trim()) ?? []
    const picture = pictures.get(id)
    if (picture) remarks.push({ picture, words: [words] })
    else remarks.at(-1)?.words.push(line)
  }
  const last = shown.at(-1)
  const isNew = last && !remarked(session, last)
  if (remarks.length === 0 && isNew && /[.\n]/.test(said.trim()) && !/^\W*[a-z][0-9a-f]{10}\b/m.test(said))
    remarks.push({ picture: last, words: [said] })
  for (const { picture, words } of remarks) {
    const text = words
      .join(' ')
      .replace(/\bREADY\b\.?/g, '')
      .replace(/\s+/g, ' ')
      .trim()
    if (text !== '') session.learn([remarkOf(session, picture, text)])
  }
}

function remarkOf(session: AgentSession, picture: Picture, words: string): Evidence {
  const { span, frame } = placeOf(picture, words)
  const text = `seen by the planner: ${words.slice(0, longest)}`
  return session.context.note({ span, track: 'caption', text, frame }, session.parts.planner.id)
}

// The frames of which the words name the times, each to the next frame; else all of the picture.
function placeOf(picture: Picture, words: string): { span: Span; frame: number | undefined } {
  const times = timesIn(picture).toSorted((a, b) => a - b)
  const named = statedTimes(words).flatMap(({ seconds }) => seconds)
  const meant = times.filter(time => named.some(second => Math.abs(second - time) < 1))
  const [first] = meant
  if (first === undefined) return { span: picture.span, frame: times[0] }
  const last = meant.at(-1) ?? first
  const next = times.find(time => time > last) ?? picture.span.end
  return { span: { start: first, end: Math.max(next, last + 0.1) }, frame: first }
}

function remarked({ ledger, parts }: AgentSession, { span }: Picture): boolean {
  return [...ledger.values()].some(
    row =>
      row.track === 'caption' &&
      row.by === parts.planner.id &&
      row.span.start >= span.start - 0.01 &&
      row.span.end <= span.end + 0.2,
  )
}

// Pictures that only the planner has seen, and of which it has said nothing.
function unremarked(session: AgentSession, { steps }: RunState): Picture[] {
  const given = steps.flatMap(step => step.pictures ?? [])
  const rows = new Map(given.flatMap(picture => (picture.row ? [[picture.row, picture]] : [])))
  return [...rows.values()].filter(picture => !remarked(session, picture))
}

// A planner that is ready is asked once what these showed: nobody else knows.
export function remindOf(session: AgentSession, state: RunState, shown: readonly Picture[]): Update | undefined {
  const sheets = state.steps.length > 0 ? [] : state.shown.filter(picture => !remarked(session, picture))
  const before = new Set(shown.map(picture => picture.row))
  const open = [...unremarked(session, state), ...sheets].flatMap(({ row }) =>
    row && before.has(row) && !state.reminded.includes(row) ? [row] : [],
  )
  if (open.length === 0) return undefined
  const hint = `You were shown the pictures of ${open.join(', ')} and have not said what they show. Say it in a note each, the id of the row first, then reply READY or call tools.`
  return { reminded: open, hints: [hint] }
}

// What the answer must say of them in the end.
export function unsaidNotes(session: AgentSession, state: RunState): string[] {
  const spans = unremarked(session, state).map(({ span }) => formatSpan(span))
  const said = `The planner looked at ${spans.join(', ')} itself and did not say what it saw.`
  return spans.length > 0 && !state.notes.includes(said) ? [said] : []
}
