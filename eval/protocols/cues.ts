import { strip } from '../python/text.ts'

export interface Cue {
  start: number
  end: number
  text: string
}

const maxCue = 10_000 // characters: a longer cue is an attack, and these patterns would take its square

// The cues of an SRT file, in seconds, each on one line and without markup.
export function cuesIn(srt: string): Cue[] {
  return parseCues(srt).map(({ start, end, text }) => ({
    start: start / 1000,
    end: end / 1000,
    text: text
      .slice(0, maxCue)
      .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

const stamp = /(\d{1,2}):(\d{1,2}):(\d{1,2})[.,](\d{1,3})/g

// Cues of an SRT file, in milliseconds, as the released reader finds them: any line with two time stamps starts one; the counter
// of the next cue, at the end of its text, is not text. Lines are joined by \n.
export function parseCues(srt: string): Cue[] {
  const cues: (Cue & { lines: string[] })[] = []
  for (const line of srt
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/(?<=\n)/)) {
    const [start, end, ...others] = [...line.matchAll(stamp)].map(milliseconds)
    if (start !== undefined && end !== undefined && others.length === 0) cues.push({ start, end, text: '', lines: [] })
    else cues.at(-1)?.lines.push(line)
  }
  return cues.map(({ start, end, lines }) => ({ start, end, text: cueText(lines) }))
}

function cueText(lines: readonly string[]): string {
  const empty =
    lines.length >= 2 && lines.slice(0, -1).every(line => strip(line) === '') && /^\s*\d+\s*$/.test(lines.at(-1) ?? '')
  return empty ? '' : strip(lines.join('')).replace(/(?<!\n)\n+ *\d+ *$/, '')
}

function milliseconds([, hours, minutes, seconds, rest = '']: RegExpExecArray): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest) * 10 ** (3 - rest.length)
}
