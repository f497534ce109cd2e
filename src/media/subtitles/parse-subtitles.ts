import { breather } from '../../core/basics/signals.ts'
import { byTime } from '../../core/evidence.ts'
import { roundTime, type Span } from '../../core/time.ts'

export interface SubtitleTrack {
  source: 'sidecar' | 'stream'
  name: string
  language?: string
  guessed?: string // the encoding that its bytes look like, where the file does not say
  problem?: string // why it could not be read
  cues: SubtitleCue[]
}

export const maxSubtitleBytes = 32 * 1024 * 1024

export const subtitleReader = 'transcribe/subtitles' // `by` of rows that were read and not heard

export interface SubtitleCue {
  span: Span
  text: string
  speaker?: string
}

// SubRip and WebVTT alike: a line with an arrow between two times, then lines of text up to a blank one.
// What is not a cue (numbers, headers, notes, styles) is passed over; cues may overlap and come in any order.
export async function parseSubtitles(text: string, signal?: AbortSignal): Promise<SubtitleCue[]> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const cues: SubtitleCue[] = []
  const breathe = breather(signal)
  for (let i = 0; i < lines.length; i++) {
    const pause = breathe()
    if (pause) await pause
    const span = parseSpan(lines[i])
    if (!span) continue
    const words: string[] = []
    for (let next = lines[i + 1]; next?.trim() && !parseSpan(next); next = lines[i + 1]) {
      words.push(next)
      i++
    }
    // A missing blank line leaves the next cue's number at the end of this one's text.
    if (parseSpan(lines[i + 1]) && /^\d+$/.test(words.at(-1) ?? '')) words.pop()
    for (const cue of splitCues(span, words.join('\n'))) cues.push(cue)
  }
  return cues.sort(byTime)
}

const time = String.raw`(?:(\d{1,5}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`
const arrow = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s|$)`)

const maxTimes = 200 // characters; settings of the cue may follow

function parseSpan(line = ''): Span | undefined {
  const match = arrow.exec(line.slice(0, maxTimes))
  if (!match) return undefined
  const seconds = (at: number) =>
    Number(match[at] ?? 0) * 3600 +
    Number(match[at + 1]) * 60 +
    Number(match[at + 2]) +
    Number(match[at + 3]?.padEnd(3, '0')) / 1000
  const span = { start: roundTime(seconds(1)), end: roundTime(seconds(5)) }
  return span.end > span.start ? span : undefined
}

// A cue with several voices is one cue for each, over the same span.
export function splitCues(span: Span, text: string): SubtitleCue[] {
  const parts = text.split(/(?=<v(?:\.[^\s>]{0,100})?\s)/i)
  return parts.flatMap(part => {
    const speaker = /^<v(?:\.[^\s>]{0,100})?\s([^>]{0,500})>/i.exec(part)?.[1]?.trim()
    return inPieces(plain(part)).map(said => ({ span, text: said, ...(speaker ? { speaker: entities(speaker) } : {}) }))
  })
}

const maxCue = 2000 // characters; everything that reads a line of speech may count on it

function inPieces(text: string): string[] {
  const pieces: string[] = []
  for (let rest = text; rest !== ''; ) {
    const blank = rest.length > maxCue ? rest.lastIndexOf(' ', maxCue) : -1
    const end = rest.length <= maxCue ? rest.length : blank > 0 ? blank : wholeLetters(rest, maxCue)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return pieces
}

// A letter of two code units is not cut in half.
function wholeLetters(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end
}

// Without tags (<i>, <c.yellow>, <00:01.000>, {\an8}), entities and line ends.
function plain(text: string): string {
  return entities(
    text
      .replaceAll(/<\/?[a-z][^<>]*>|<\d[\d:.]*>/gi, '')
      .replaceAll(/\{\\[^{}]*\}/g, '')
      .replaceAll(/\\[Nnh]/g, ' '),
  )
    .replaceAll(/[\s\u00a0\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]+/g, ' ')
    .trim()
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '' }

function entities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return named[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
  })
}
