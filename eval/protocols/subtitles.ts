import { z } from 'zod'
import { UsageError } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import type { Span } from '../../src/core/time.ts'
import { parseSubtitles } from '../../src/media/subtitles/parse-subtitles.ts'
import type { AskedBy } from '../data/asked-by.ts'
import type { VideoFile } from '../data/find-videos.ts'
import type { Sample } from '../data/sample.ts'
import { type Cue, cuesIn, parseCues } from './cues.ts'
import type { FrameMedia } from './frames.ts'
import { subtitlesAtSetting } from './show.ts'

// What is said in a video, for benchmarks whose data have no subtitles: from a file beside it.
export const subtitleSettings = {
  subtitles: z
    .enum(['off', 'at frames', 'whole'])
    .optional()
    .describe(
      'what is said, from a file beside the video (X.srt, X.en.srt, X.vtt): nowhere (default), at the frames, or all',
    ),
  subtitlesAt: subtitlesAtSetting,
}

export type SubtitleOptions = {
  subtitles?: 'off' | 'at frames' | 'whole'
  subtitlesAt?: number
}

// The lines that go with the frames, in order; undefined if they are not asked for.
export function linesSaid(
  { subtitles: which, subtitlesAt: count }: SubtitleOptions,
  { subtitles = '' }: FrameMedia,
  times: readonly number[],
  timesOf: (count: number) => readonly number[],
): string[] | undefined {
  if (which === undefined || which === 'off') return undefined
  const cues = cuesIn(subtitles)
  if (which === 'whole') return cues.map(cue => cue.text)
  const moments = count === undefined ? times : timesOf(count)
  return cues.filter(({ start, end }) => moments.some(time => start <= time && time < end)).map(cue => cue.text)
}

// Before the question, if there is something.
export function saidText(lines: readonly string[] | undefined): string {
  return lines && lines.length > 0 ? `What is said in the video:\n${lines.join('\n')}\n\n` : ''
}

// Names under which the subtitles of a video are looked for.
export function subtitleNames(video: string): string[] {
  const stem = video.replace(/\.[^./]+$/, '')
  return ['.srt', '.en.srt', '.vtt', '.en.vtt'].map(ending => `${stem}${ending}`)
}

// Whether subtitles come from files beside the videos: where the protocol has none of its own and they are asked for.
export function besideVideos(
  settings: z.ZodType,
  { by, options: { subtitles } }: { by: AskedBy; options: Record<string, unknown> },
): boolean {
  const isOwn =
    z.looseObject({ subtitles: z.unknown() }).safeParse(settings.safeParse({}).data).data?.subtitles !== undefined
  if (isOwn || (subtitles !== 'at frames' && subtitles !== 'whole')) return false
  if (by === 'alone') return true
  throw new UsageError(
    `--option subtitles=${subtitles} sets what a model without the agent is shown; this run has an index.`,
    {
      hint: 'Add --by alone, or leave the option out: an index has the files beside the videos.',
    },
  )
}

// What the subtitles of a clip of clues are called, which are made with it.
export function clipSubtitles(clip: string): string {
  return `${clip}.srt`
}

// Samples with the files that lie beside their videos. Not one: nothing of what was asked for could be shown.
export function withSubtitleFiles(
  samples: readonly Sample[],
  find: (name: string) => VideoFile,
  say: (line: string) => void,
): Sample[] {
  const isThere = (name: string) => {
    const subtitleFile = find(name)
    return 'path' in subtitleFile || subtitleFile.packed === true
  }
  const filled = samples.map(sample => {
    const source = sample.cut?.video ?? sample.video
    const name = sample.subtitles === undefined ? subtitleNames(source).find(isThere) : undefined
    if (name === undefined) return sample
    const { cut } = sample
    return cut
      ? { ...sample, subtitles: clipSubtitles(sample.video), cut: { ...cut, subtitles: name } }
      : { ...sample, subtitles: name }
  })
  const without = new Set(filled.filter(one => one.subtitles === undefined).map(one => one.video)).size
  const all = new Set(filled.map(one => one.video)).size
  if (without === all)
    throw new UsageError(`No subtitles lie beside the ${all} videos that are asked about.`, {
      hint: `Put them there as ${subtitleNames(samples[0]?.video ?? 'video.mp4').join(' or ')}, or leave --option subtitles out.`,
    })
  if (without > 0) say(`Of ${all} videos ${without} have no subtitles beside them; their questions are asked without.`)
  return filled
}

// The text of a subtitle file, as SubRip: protocols read nothing else.
export async function subtitleText(path: string): Promise<string> {
  const text = await readBoundedText(path, 32e6)
  if (!/\.vtt$/i.test(path)) return text
  const cues = await parseSubtitles(text)
  return subRip(cues.map(({ span, text }) => ({ start: span.start, end: span.end, text })))
}

// Cues of a video by the clock of a clip of these spans.
export function shiftedSubtitles(srt: string, spans: readonly Span[]): string {
  const cues = parseCues(srt).map(cue => ({ ...cue, start: cue.start / 1000, end: cue.end / 1000 }))
  let before = 0
  const shifted = spans.flatMap(span => {
    const move = before - span.start
    before += span.end - span.start
    return cues.flatMap(({ start, end, text }) => {
      const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)]
      return to > from && text !== '' ? [{ start: from + move, end: to + move, text }] : []
    })
  })
  return subRip(shifted)
}

function subRip(cues: readonly Cue[]): string {
  return cues.map(({ start, end, text }, i) => `${i + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}\n`).join('\n')
}

function stamp(seconds: number): string {
  const whole = Math.round(seconds * 1000)
  const digits = (unit: number, count: number, width: number) =>
    String(Math.floor(whole / unit) % count).padStart(width, '0')
  return `${digits(3_600_000, 100, 2)}:${digits(60_000, 60, 2)}:${digits(1000, 60, 2)},${digits(1, 1000, 3)}`
}
