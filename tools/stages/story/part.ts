import type { Span } from '../../../src/core/time.ts'
import type { OverviewSentence } from '../../../src/core/video.ts'
import { type StoryPiece, sentenceLine, sentencesAtMost } from './prompts.ts'
import type { RowsById } from './read-sentences.ts'

// A clip, scene or chapter as it was written.
export interface StoryPart {
  span: Span
  title?: string
  told: OverviewSentence[]
}

export interface JoinedParts {
  parts: StoryPart[]
  open: OverviewSentence[]
}

export function pieceFrom({ span, title, told }: StoryPart): StoryPiece {
  return { span, title, lines: told.map(sentenceLine) }
}

// Without a reply that can be read: the first sentence of each piece, as many as a part of this level has.
export function firstSentences(pieces: readonly StoryPart[], level: 'scene' | 'chapter' | 'whole'): StoryPart {
  const sentences = pieces.flatMap(piece => piece.told.slice(0, 1))
  const step = Math.max(1, sentences.length / sentencesAtMost[level])
  const chosenSentences = Array.from(
    { length: Math.min(sentences.length, sentencesAtMost[level]) },
    (_, at) => sentences[Math.floor(at * step)],
  )
  return { span: joinSpans(pieces), told: chosenSentences.filter(one => one !== undefined) }
}

export function citedIn(lists: readonly (readonly OverviewSentence[])[], rows: RowsById): RowsById {
  const ids = lists.flatMap(list => list.flatMap(({ cites }) => cites))
  return new Map(ids.flatMap(id => rows.get(id) ?? []).map(row => [row.id, row]))
}

export function joinSpans(pieces: readonly { span: Span }[]): Span {
  return { start: pieces[0]?.span.start ?? 0, end: pieces.at(-1)?.span.end ?? 0 }
}
