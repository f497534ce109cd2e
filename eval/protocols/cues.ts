import { parseCues } from '../benchmarks/cg-bench/subtitles.ts'
import type { CueSeconds } from './frame-request.ts'

// The cues of an SRT file, in seconds, each on one line and without markup.
export function cuesIn(srt: string): CueSeconds[] {
  return parseCues(srt).map(({ start, end, text }) => ({
    start: start / 1000,
    end: end / 1000,
    text: text
      .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}
