import { breather } from '../../core/basics/signals.ts'
import { roundTime, type Span } from '../../core/time.ts'
import { byStart, type SubtitleCue, splitCues } from './parse-subtitles.ts'

// The cues of TTML (.ttml, .dfxp), which ffmpeg writes but does not read: <p begin="..." end="..."> and its text.
export async function parseTimedText(text: string, signal?: AbortSignal): Promise<SubtitleCue[]> {
  const root = readAttributes(/<(?:\w{1,20}:)?tt\s[^<>]{0,4000}/i.exec(text.slice(0, 20_000))?.[0] ?? '')
  const frameRate = Number(root.framerate) || 30
  const clock = { frameRate, tickRate: Number(root.tickrate) || frameRate }
  const cues: SubtitleCue[] = []
  const breathe = breather(signal)
  let open: { span: Span; at: number } | undefined
  for (const tag of text.matchAll(paragraph)) {
    const pause = breathe()
    if (pause) await pause
    if (open) cues.push(...splitCues(open.span, text.slice(open.at, tag.index).replaceAll(lineBreak, '\n')))
    const span = tag[1] === '/' || tag[2]?.endsWith('/') ? undefined : readSpan(readAttributes(tag[2] ?? ''), clock)
    open = span && { span, at: tag.index + tag[0].length }
  }
  return cues.sort(byStart)
}

const paragraph = /<(\/?)(?:\w{1,20}:)?p(\s[^<>]{0,4000})?>/gi
const lineBreak = /<(?:\w{1,20}:)?br(?:\s[^<>]{0,200})?\/?>/gi

interface Clock {
  frameRate: number
  tickRate: number
}

function readAttributes(tag: string): Record<string, string> {
  const attributes = tag.matchAll(/(?:\w{1,20}:)?(\w{1,30})\s{0,20}=\s{0,20}["']([^"'<>]{0,200})["']/g)
  return Object.fromEntries([...attributes].map(([, name = '', value = '']) => [name.toLowerCase(), value]))
}

function readSpan({ begin, end, dur }: Record<string, string>, clock: Clock): Span | undefined {
  const from = parseSeconds(begin, clock)
  const lasts = parseSeconds(dur, clock)
  const to = parseSeconds(end, clock) ?? (from !== undefined && lasts !== undefined ? from + lasts : undefined)
  if (from === undefined || to === undefined || to <= from) return undefined
  return { start: roundTime(from), end: roundTime(to) }
}

// "00:01:02.5", "00:01:02:12" (the last are frames), "62.5s", "1500ms", "300f", "90000t".
function parseSeconds(text: string | undefined, { frameRate, tickRate }: Clock): number | undefined {
  if (text === undefined) return undefined
  const clock = /^(\d{1,5}):(\d{1,2}):(\d{1,2})(\.\d{1,9})?(?::(\d{1,3}))?$/.exec(text)
  if (clock) {
    const [, hours, minutes, seconds, part = '0', frames = '0'] = clock
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(part) + Number(frames) / frameRate
  }
  const offset = /^(\d{1,15}(?:\.\d{1,9})?)(h|m|s|ms|f|t)$/.exec(text)
  if (!offset) return undefined
  const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, f: 1 / frameRate, t: 1 / tickRate }
  return Number(offset[1]) * units[offset[2]!]!
}
