import { roundTime, type Span } from '../core/time.ts'

export interface Cue {
  span: Span
  text: string
  speaker?: string
}

// SubRip and WebVTT alike: a line with an arrow between two times, then lines of text up to a blank one.
// What is no cue (numbers, headers, notes, styles) is passed over; cues may overlap and come in any order.
export function parseSubtitles(text: string): Cue[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const cues: Cue[] = []
  for (let i = 0; i < lines.length; i++) {
    const span = spanOf(lines[i])
    if (!span) continue
    const words: string[] = []
    while (i + 1 < lines.length && lines[i + 1].trim() !== '' && !spanOf(lines[i + 1])) words.push(lines[++i])
    // A missing blank line leaves the next cue's number at the end of this one's text.
    if (spanOf(lines[i + 1] ?? '') && /^\d+$/.test(words.at(-1) ?? '')) words.pop()
    cues.push(...cuesOf(span, words.join('\n')))
  }
  return cues.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
}

// The text of a subtitle file: UTF-8 or UTF-16 by its mark, else Windows-1252 where it is no valid UTF-8.
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const time = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`
const arrow = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s|$)`)

function spanOf(line: string): Span | undefined {
  const match = arrow.exec(line)
  if (!match) return undefined
  const seconds = (at: number) =>
    Number(match[at] ?? 0) * 3600 +
    Number(match[at + 1]) * 60 +
    Number(match[at + 2]) +
    Number(match[at + 3].padEnd(3, '0')) / 1000
  const span = { start: roundTime(seconds(1)), end: roundTime(seconds(5)) }
  return span.end > span.start ? span : undefined
}

// A cue with several voices is one cue for each, over the same span.
function cuesOf(span: Span, text: string): Cue[] {
  const parts = text.split(/(?=<v(?:\.[^\s>]*)?\s)/i)
  return parts.flatMap(part => {
    const speaker = /^<v(?:\.[^\s>]*)?\s+([^>]*)>/i.exec(part)?.[1].trim()
    const said = plain(part)
    return said ? [{ span, text: said, ...(speaker ? { speaker: entities(speaker) } : {}) }] : []
  })
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
