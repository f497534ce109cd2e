import type { ToolCall } from '../../../../src/core/chat.ts'
import type { Track } from '../../../../src/core/evidence.ts'
import { namedSounds } from '../../../../src/text/sounds.ts'
import { tokens } from '../../../../src/text/words.ts'
import { findSynonyms } from '../synonyms.ts'

export type PlannedCall = Omit<ToolCall, 'id'>

const maxRows = 2000

export interface TimelineInput {
  tracks?: Track[]
  start?: number
  end?: number
  about?: string
  limit?: number
}

export function timelineCall(args: TimelineInput): PlannedCall {
  return { name: 'timeline', arguments: { limit: maxRows, ...args } }
}

interface SearchInput {
  tracks?: Track[]
  start?: number
  end?: number
  speaker?: string
}

export function searchCall(query: string, more: SearchInput, k: number): PlannedCall {
  return { name: 'search', arguments: { query, ...more, k } }
}

// Sounds have several names: "beep" also means a tone.
export function soundList(tracks: readonly Track[], words: string): PlannedCall[] {
  return tracks.includes('sound') || namedSounds(words).length > 0 ? [timelineCall({ tracks: ['sound'] })] : []
}

// Adds synonyms to the words of a search.
export function withOtherNames(words: string): string {
  const synonyms = tokens(words).flatMap(token => findSynonyms(token.stem).slice(0, 5))
  return [words, ...new Set([...namedSounds(words).slice(0, 4), ...synonyms])].join(' ').slice(0, 300)
}

// Identifies a call, ignoring defaults that were filled in later.
export function planCallKey(tool: string, input: unknown): string {
  const { tracks, start, end, about, query, speaker } = (input ?? {}) as Record<string, unknown>
  return JSON.stringify([tool, tracks, start, end, about, query, tool === 'look' ? input : speaker])
}
