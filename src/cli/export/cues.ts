import type { Evidence } from '../../core/evidence.ts'
import { plain } from '../sanitise.ts'

export interface Cue {
  start: number
  end: number
  lines: string[]
  speaker?: string
}

const LEAST = 0.5 // seconds that a cue of a single moment is shown

// Rows as subtitle cues: no empty lines (they would end the cue) and nothing that looks like the line of times.
export function cuesOf(rows: readonly Evidence[]): Cue[] {
  return rows.flatMap(row => {
    const lines = plain(row.text.replaceAll('\r', ''))
      .replaceAll('-->', '->')
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
    const end = row.span.end > row.span.start ? row.span.end : row.span.start + LEAST
    return lines.length === 0 ? [] : [{ start: row.span.start, end, lines, speaker: row.speaker }]
  })
}

// 3725.5 -> "01:02:05.500"
export function clock(seconds: number, point: '.' | ','): string {
  const whole = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(whole % 1000).padStart(3, '0')
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}${point}${rest}`
}
