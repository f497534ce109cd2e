import type { Evidence } from './evidence.ts'
import { plain } from './visible-text.ts'

interface Cue {
  start: number
  end: number
  lines: string[]
  speaker?: string
}

const MIN_CUE = 0.5 // seconds that a cue of a single moment is shown

// Rows as subtitle cues: no empty lines (they would end the cue) and nothing that looks like the line of times.
function cuesOf(rows: readonly Evidence[]): Cue[] {
  return rows.flatMap(row => {
    const lines = plain(row.text.replaceAll('\r', ''))
      .replaceAll('-->', '->')
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean)
    const end = row.span.end > row.span.start ? row.span.end : row.span.start + MIN_CUE
    return lines.length === 0 ? [] : [{ start: row.span.start, end, lines, speaker: row.speaker }]
  })
}

// 3725.5 -> "01:02:05.500"
function clock(seconds: number, point: '.' | ','): string {
  const whole = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(whole % 1000).padStart(3, '0')
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}${point}${rest}`
}

export function srt(rows: readonly Evidence[]): string {
  return cuesOf(rows)
    .map(({ start, end, lines, speaker }, at) => {
      const text = speaker ? [`${speaker}: ${lines[0]}`, ...lines.slice(1)] : lines
      return `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text.join('\n')}\n`
    })
    .join('\n')
}

export function vtt(rows: readonly Evidence[]): string {
  const cues = cuesOf(rows).map(({ start, end, lines, speaker }) => {
    const text = escaped(lines.join('\n'))
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${speaker ? `<v ${escaped(speaker)}>` : ''}${text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
