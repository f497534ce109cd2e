import { strip } from '../python/text.ts'

export interface Cue {
  start: number // milliseconds
  end: number
  text: string // lines joined by \n
}

// A cue in seconds.
export interface CueSeconds {
  start: number
  end: number
  text: string
}

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

const stamp = /(\d{1,2}):(\d{1,2}):(\d{1,2})[.,](\d{1,3})/g

// Cues of an SRT file as the released reader finds them: any line with two time stamps starts one; the counter of the next
// cue, at the end of its text, is not text.
export function parseCues(srt: string): Cue[] {
  const cues: (Cue & { lines: string[] })[] = []
  for (const line of srt
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/(?<=\n)/)) {
    const stamps = [...line.matchAll(stamp)]
    if (stamps.length === 2)
      cues.push({ start: milliseconds(stamps[0]), end: milliseconds(stamps[1]), text: '', lines: [] })
    else cues.at(-1)?.lines.push(line)
  }
  return cues.map(({ start, end, lines }) => ({ start, end, text: cueText(lines) }))
}

function cueText(lines: readonly string[]): string {
  const empty =
    lines.length >= 2 && lines.slice(0, -1).every(line => strip(line) === '') && /^\s*\d+\s*$/.test(lines.at(-1) ?? '')
  return empty ? '' : strip(lines.join('')).replace(/(?<!\n)\n+ *\d+ *$/, '')
}

function milliseconds([, hours, minutes, seconds, rest]: RegExpExecArray): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest) * 10 ** (3 - rest.length)
}
