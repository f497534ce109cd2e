import type { Evidence } from '../evidence.ts'
import { formatTime } from '../time.ts'
import type { Overview } from '../video.ts'
import { csvText } from './csv-cell.ts'
import { visibleLine } from './visible-text.ts'

const names = ['id', 'start', 'end', 'track', 'text', 'by', 'confidence', 'speaker'] as const

export function rowsToCsv(rows: readonly Evidence[]): string {
  const lines = rows.map(({ id, span, track, text, by, confidence, speaker }) => [
    ...[id, span.start, span.end, track, text, by, confidence, speaker],
  ])
  return csvText([[...names], ...lines])
}

// "0:00 Title", one line each: the form that video pages and players read from a description.
export function chapters(overview: Overview): string {
  return overview.chapters.map(({ span, title }) => `${formatTime(span.start)} ${visibleLine(title)}\n`).join('')
}

interface Cue {
  start: number
  end: number
  lines: string[]
  speaker?: string
}

const MIN_CUE = 0.5 // seconds that a cue of a single moment is shown

// Rows as subtitle cues: no empty lines (they would end the cue) and nothing that looks like the line of times.
function buildCues(rows: readonly Evidence[]): Cue[] {
  return rows.flatMap(row => {
    const lines = row.text
      .split(/[\r\n]+/)
      .map(cueLine)
      .filter(Boolean)
    const end = row.span.end > row.span.start ? row.span.end : row.span.start + MIN_CUE
    return lines.length === 0
      ? []
      : [{ start: row.span.start, end, lines, speaker: row.speaker && cueLine(row.speaker) }]
  })
}

function cueLine(text: string): string {
  return visibleLine(text).replace(/--+>/g, '->').trim()
}

// 3725.5 -> "01:02:05.500"
function clock(seconds: number, point: '.' | ','): string {
  const whole = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(whole % 1000).padStart(3, '0')
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}${point}${rest}`
}

export function srt(rows: readonly Evidence[]): string {
  return buildCues(rows)
    .map(({ start, end, lines, speaker }, at) => {
      const text = speaker ? [`${speaker}: ${lines[0]}`, ...lines.slice(1)] : lines
      return `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text.join('\n')}\n`
    })
    .join('\n')
}

// `mark` may set the words of a cue apart.
export function vtt(rows: readonly Evidence[], mark = (words: string) => words): string {
  const cues = buildCues(rows).map(({ start, end, lines, speaker }) => {
    const text = escaped(lines.join('\n'))
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${mark(`${speaker ? `<v ${escaped(speaker)}>` : ''}${text}`)}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
