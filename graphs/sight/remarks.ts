import type { Evidence } from '../../src/core/evidence.ts'
import type { Picture } from '../../src/core/sight/picture.ts'
import { formatSpan } from '../../src/core/time.ts'
import type { AgentSession } from '../session.ts'
import type { RunState, Update } from '../state.ts'

const longest = 600 // characters of one remark

// What the planner says of pictures that it alone has seen becomes rows, so that sentences can rest on it: a line that begins with the
// id of a picture's row is what that picture shows. Their times are those of the picture.
export function heedRemarks(session: AgentSession, said: string, shown: readonly Picture[]): void {
  const pictures = new Map(shown.flatMap(picture => (picture.row ? [[picture.row, picture]] : [])))
  for (const line of said.split('\n')) {
    const [, id = '', words = ''] = /^[^a-z0-9]*([a-z][0-9a-f]{10})\W+(.*)$/.exec(line.trim()) ?? []
    const picture = pictures.get(id)
    if (picture && words.trim() !== '') session.learn([remarkOf(session, picture, words.trim())])
  }
}

function remarkOf(session: AgentSession, { span, cells }: Picture, words: string): Evidence {
  const text = `seen by the planner: ${words.slice(0, longest)}`
  return session.context.note({ span, track: 'caption', text, frame: cells[0]?.times[0] }, session.parts.planner.id)
}

// Looks whose frames only the planner has seen, and of which it has said nothing.
function unremarked(session: AgentSession, { steps }: RunState): Picture[] {
  const { id } = session.parts.planner
  const said = [...session.ledger.values()].filter(row => row.track === 'caption' && row.by === id)
  const looks = steps.filter(step => session.kindOf(step.tool) === 'look').flatMap(step => step.pictures ?? [])
  const rows = new Map(looks.flatMap(picture => (picture.row ? [[picture.row, picture]] : [])))
  return [...rows.values()].filter(
    ({ span }) => !said.some(row => row.span.start === span.start && row.span.end === span.end),
  )
}

// A planner that is ready is asked once what these showed: nobody else knows.
export function remindOf(session: AgentSession, state: RunState, shown: readonly Picture[]): Update | undefined {
  const before = new Set(shown.map(picture => picture.row))
  const open = unremarked(session, state).flatMap(({ row }) =>
    row && before.has(row) && !state.reminded.includes(row) ? [row] : [],
  )
  if (open.length === 0) return undefined
  const hint = `You were shown the pictures of ${open.join(', ')} and have not said what they show. Say it in a line each, the id of the row first, then reply READY or call tools.`
  return { reminded: open, hints: [hint] }
}

// What the answer must say of them in the end.
export function unsaidNotes(session: AgentSession, state: RunState): string[] {
  const spans = unremarked(session, state).map(({ span }) => formatSpan(span))
  const said = `The planner looked at ${spans.join(', ')} itself and did not say what it saw.`
  return spans.length > 0 && !state.notes.includes(said) ? [said] : []
}
