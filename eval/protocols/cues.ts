import { parseCues } from '../benchmarks/cg-bench/subtitles.ts'
import type { CueSeconds } from './frame-request.ts'

const longestCue = 10_000 // characters: a cue of more is an attack, and these patterns would take its square

// The cues of an SRT file, in seconds, each on one line and without markup.
export function cuesIn(srt: string): CueSeconds[] {
  return parseCues(srt).map(({ start, end, text }) => ({
    start: start / 1000,
    end: end / 1000,
    text: text
      .slice(0, longestCue)
      .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}
