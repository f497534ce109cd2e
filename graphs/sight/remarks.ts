import type { Step } from '../../src/core/agent.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import type { Picture } from '../../src/core/sight/picture.ts'
import { formatSpan, type Span } from '../../src/core/time.ts'
import type { AgentSession } from '../session.ts'
import type { RunState, Update } from '../state.ts'

const longestRemark = 600 // characters

// What the planner says of pictures that it alone has seen becomes rows, so that sentences can cite it: what follows the id of a
// frame, to the next id, is about that frame. Text without any id is about the last look.
export function learnRemarks(
  session: AgentSession,
  reply: string,
  { steps }: RunState,
  shown: readonly Picture[],
): void {
  const pictures = new Map(shown.flatMap(picture => (picture.row ? [[picture.row, picture]] : [])))
  const remarks: { span: Span; frame?: number; words: string[] }[] = []
  for (const line of reply.split('\n')) {
    const [, id = '', words = ''] = /^[^a-z0-9]*([a-z][0-9a-f]{10})\b[^\p{L}\p{N}]*(.*)$/u.exec(line.trim()) ?? []
    const picture = pictures.get(id)
    if (picture) remarks.push({ span: picture.span, frame: picture.cells[0]?.times[0], words: [words] })
    else remarks.at(-1)?.words.push(line)
  }
  const look = shown.length > 0 ? steps.findLast(isLook) : undefined
  const isText = /[.\n]/.test(reply.trim()) && !/^\W*[a-z][0-9a-f]{10}\b/m.test(reply)
  if (remarks.length === 0 && look && isText && !hasRemark(session, look))
    remarks.push({ span: lookSpan(look), frame: look.pictures?.[0]?.cells[0]?.times[0], words: [reply] })
  for (const { span, frame, words } of remarks) {
    const text = words
      .join(' ')
      .replace(/\bREADY\b\.?|\s+/g, ' ')
      .replace(/ +/g, ' ')
      .trim()
    if (text !== '') session.learn([remarkRow(session, text, span, frame)])
  }
}

function remarkRow({ context, parts }: AgentSession, words: string, span: Span, frame?: number): Evidence {
  const text = `seen by the planner: ${words.slice(0, longestRemark)}`
  return context.note({ span, track: 'caption', text, frame }, parts.planner.id)
}

function isLook({ pictures = [] }: Step): boolean {
  return pictures.length > 0
}

function lookSpan({ pictures = [] }: Step): Span {
  const spans = pictures.map(({ span }) => span)
  return { start: Math.min(...spans.map(({ start }) => start)), end: Math.max(...spans.map(({ end }) => end)) }
}

function hasRemark({ ledger, parts }: AgentSession, look: Step): boolean {
  const { start, end } = lookSpan(look)
  return [...ledger.values()].some(
    ({ track, by, span }) =>
      track === 'caption' && by === parts.planner.id && span.start >= start - 0.01 && span.end <= end + 0.2,
  )
}

function silentLooks(session: AgentSession, { steps }: RunState): Step[] {
  return steps.filter(step => isLook(step) && !hasRemark(session, step))
}

// A planner that is ready is asked once what its looks showed: nobody else knows.
export function remindPlanner(session: AgentSession, state: RunState, shown: readonly Picture[]): Update | undefined {
  const isShown = (step: Step) => step.pictures?.some(({ row }) => shown.some(picture => picture.row === row))
  const looks = silentLooks(session, state)
    .filter(isShown)
    .map(step => ({ id: step.evidence[0] ?? '', step }))
  const open = looks.filter(({ id }) => !state.reminded.includes(id))
  if (open.length === 0) return undefined
  const spans = open.map(({ step }) => formatSpan(lookSpan(step))).join(', ')
  const hint = `You looked at ${spans} and have not said what the frames show. Write it down, the id of the frame first on each line. Then reply READY or call tools.`
  return { reminded: open.map(({ id }) => id), hints: [hint] }
}

// What the answer must say of them in the end.
export function silentLookNotes(session: AgentSession, state: RunState): string[] {
  const spans = silentLooks(session, state).map(step => formatSpan(lookSpan(step)))
  const note = `The planner looked at ${spans.join(', ')} itself and did not say what it saw.`
  return spans.length > 0 && !state.notes.includes(note) ? [note] : []
}
