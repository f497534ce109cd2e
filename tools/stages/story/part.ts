import type { Span } from '../../../src/core/time.ts'
import type { Told } from '../../../src/core/video.ts'
import { line, type Shown, sentencesAtMost } from './prompts.ts'
import type { Rows } from './read-sentences.ts'

// A clip, scene or chapter as it was written.
export interface Part {
  span: Span
  title?: string
  told: Told[]
}

export interface Joined {
  parts: Part[]
  open: Told[]
}

export function shown({ span, title, told }: Part): Shown {
  return { span, title, lines: told.map(line) }
}

// Without a reply that can be read: the first sentence of each piece, as many as a part of this level has.
export function firstSentences(pieces: readonly Part[], level: 'scene' | 'chapter' | 'whole'): Part {
  const told = pieces.flatMap(piece => piece.told.slice(0, 1))
  const step = Math.max(1, told.length / sentencesAtMost[level])
  const kept = Array.from(
    { length: Math.min(told.length, sentencesAtMost[level]) },
    (_, at) => told[Math.floor(at * step)],
  )
  return { span: spanOf(pieces), told: kept.filter(one => one !== undefined) }
}

export function citedIn(lists: readonly (readonly Told[])[], rows: Rows): Rows {
  const ids = lists.flatMap(list => list.flatMap(({ cites }) => cites))
  return new Map(ids.flatMap(id => rows.get(id) ?? []).map(row => [row.id, row]))
}

export function spanOf(pieces: readonly { span: Span }[]): Span {
  return { start: pieces[0]?.span.start ?? 0, end: pieces.at(-1)?.span.end ?? 0 }
}
