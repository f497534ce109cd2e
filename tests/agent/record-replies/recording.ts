import type { RunState } from '../../../graphs/state.ts'
import type { Evidence, Finding } from '../../../src/core/evidence.ts'
import { formatMoment } from '../../../src/core/time.ts'

// A conversation as tests/agent/recorded keeps it: no media, and ids by what they stand for.
export interface Recording {
  about: string
  film: string
  question: string
  options?: string[]
  duration: number
  rows: Finding[]
  heard: Finding[] // by listening again
  changes: number[] // when the picture changed, as far as the conversation saw it
  replies: { text?: string; calls: { name: string; arguments: unknown }[] }[]
  verdicts?: { reason: string; verdict: string }[] // where sentences were checked
}

type Recorded = Pick<RunState, 'question' | 'messages' | 'steps' | 'evidence' | 'verdicts'>

const frameText = /^frame at /

// From the last state of a run of the graph converse. A frame becomes "@0:41.2" and a row "#" with its first words.
export function makeRecording(state: Recorded, about: string, film: string, duration: number): Recording {
  const { question, messages, steps, evidence, verdicts } = state
  const isFrame = (row: Evidence) => row.track === 'picture' && frameText.test(row.text)
  const heardIds = new Set(steps.filter(step => step.tool === 'hear').flatMap(step => step.evidence))
  const words = evidence.filter(row => !isFrame(row))
  const frames = evidence.filter(isFrame)
  const names = new Map(
    evidence.map(row => [row.id, isFrame(row) ? `@${formatMoment(row.frame ?? 0)}` : `#${rowName(row, words)}`]),
  )
  const byModel = messages
    .filter(one => one.by === 'model')
    .filter(({ text, calls }) => text !== '' || calls.length > 0)
  return {
    about,
    film,
    question: question.text,
    ...(question.options && { options: question.options }),
    duration,
    rows: words.filter(row => !heardIds.has(row.id)).map(toFinding),
    heard: words.filter(row => heardIds.has(row.id)).map(toFinding),
    changes: [...new Set(frames.map(row => row.frame ?? 0))].sort((a, b) => a - b),
    replies: byModel.map(({ text, calls }) => ({
      ...(text && { text }),
      calls: calls.map(call => ({ name: call.name, arguments: withNames(call.arguments, names) })),
    })),
    verdicts: verdicts.map(({ reason, verdict }) => ({ reason, verdict })),
  }
}

// As few words as tell the row from the others.
function rowName({ id, text }: Evidence, rows: readonly Evidence[]): string {
  const all = text.replace(/\s+/g, ' ').trim().split(' ')
  const isOwn = (name: string) => rows.every(row => row.id === id || !row.text.replace(/\s+/g, ' ').includes(name))
  const count = all.findIndex((_, at) => at > 1 && isOwn(all.slice(0, at + 1).join(' ')))
  return (count < 0 ? all : all.slice(0, count + 1)).join(' ')
}

function toFinding({ span, track, text, confidence, speaker }: Evidence): Finding {
  return {
    span,
    track,
    text,
    ...(confidence !== undefined && { confidence }),
    ...(speaker && { speaker }),
  }
}

function withNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map(one => withNames(one, names))
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, names)]))
  return value
}
