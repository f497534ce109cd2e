import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { breather } from '../../core/basics/signals.ts'
import { BackendError, errorText } from '../../core/errors.ts'
import { byTime } from '../../core/evidence.ts'
import { readBounded } from '../../core/machine/read-bounded.ts'
import { roundTime, type Span } from '../../core/time.ts'
import type { Video } from '../../core/video.ts'
import { decodeText } from '../encodings/decode-text.ts'
import { isOutsideLink } from '../file/sidecars.ts'
import { runProgram } from '../program/run-program.ts'
import { maxSubtitleBytes, parseSubtitles, type SubtitleCue, type SubtitleTrack, splitCues } from './parse-subtitles.ts'

// The cues of a file beside the video. A file that cannot be read is a track with a problem: the others stay.
export async function readSidecar(path: string, video: Video, signal?: AbortSignal): Promise<SubtitleTrack> {
  const name = basename(path)
  const stem = video.name.slice(0, video.name.length - extname(video.name).length)
  const language = /^\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\./.exec(name.slice(stem.length))?.[1]
  const track = { source: 'sidecar' as const, name, language, cues: [] }
  try {
    if (await isOutsideLink(path, video))
      return { ...track, problem: 'it is a link that leads out of the folder of the video; copy it there' }
    const { size } = await stat(path)
    if (size > maxSubtitleBytes)
      return { ...track, problem: `it has ${megabytes(size)} MB, more than ${megabytes(maxSubtitleBytes)} MB` }
    const bytes = await readBounded(path, maxSubtitleBytes)
    if (isVobSub(bytes)) return track
    const { text, encoding, guessed } = decodeText(bytes)
    const cues = await readCues(text, extname(name).slice(1).toLowerCase(), video, signal)
    return { ...track, ...(guessed ? { guessed: encoding } : {}), cues }
  } catch (error) {
    if (signal?.aborted) throw error
    if (!(error instanceof BackendError) && !(error instanceof Error && 'code' in error)) throw error
    return { ...track, problem: errorText(error) }
  }
}

async function readCues(text: string, ending: string, video: Video, signal?: AbortSignal): Promise<SubtitleCue[]> {
  if (ending === 'ttml' || ending === 'dfxp') return parseTimedText(text, signal)
  const demuxer = chooseDemuxer(text, ending)
  return parseSubtitles(demuxer ? await asSubRip(text, demuxer, video, signal) : text, signal)
}

// What ffmpeg calls the format; undefined if the file is read here. ".sub" is the ending of several.
function chooseDemuxer(text: string, ending: string): string | undefined {
  const head = text.slice(0, 4096)
  if (ending === 'ass' || ending === 'ssa') return 'ass'
  if (ending === 'smi' || ending === 'sami') return 'sami'
  if (ending !== 'sub') return undefined
  if (/^\s{0,100}\{\d{1,9}\}\{\d{0,9}\}/.test(head)) return 'microdvd'
  if (/^\s{0,100}\[\d{1,9}\]\[\d{0,9}\]/.test(head)) return 'mpl2'
  if (/^\d\d:\d\d:\d\d\.\d\d,\d\d:\d\d:\d\d\.\d\d/m.test(head)) return 'subviewer'
  if (/^\[\d\d:\d\d:\d\d\]/m.test(head)) return 'subviewer1'
  return undefined
}

// ffmpeg gets the text by a pipe and the format by name: it opens no file and guesses nothing.
async function asSubRip(text: string, demuxer: string, video: Video, signal?: AbortSignal): Promise<string> {
  const rate = video.picture?.frameRate
  const { stdout } = await runProgram(
    'ffmpeg',
    [
      ...['-nostdin', '-hide_banner', '-loglevel', 'repeat+level+error'],
      ...['-protocol_whitelist', 'pipe', '-format_whitelist', demuxer, '-f', demuxer],
      ...(demuxer === 'microdvd' && rate ? ['-subfps', String(rate)] : []),
      ...['-i', 'pipe:0', '-c:s', 'subrip', '-f', 'srt', 'pipe:1'],
    ],
    { signal, input: Buffer.from(text), stallSeconds: 60, maxStdoutBytes: 2 * maxSubtitleBytes },
  )
  return stdout.toString('utf8')
}

// VobSub holds pictures of the words, as some streams do: no words to index.
function isVobSub(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === 0xba
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024)
}

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
  return cues.sort(byTime)
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
  if (from === undefined || to === undefined) return undefined
  const span = { start: roundTime(from), end: roundTime(to) }
  return span.end > span.start ? span : undefined
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
