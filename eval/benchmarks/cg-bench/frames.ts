import { z } from 'zod'
import { type Interval, totalLength } from '../../metrics/intervals.ts'
import { toEven } from '../../metrics/rounding.ts'
import { frameCount, sampledTimes, shownSettings, subtitlesAtSetting } from '../../protocols/show.ts'
import { parseCues } from '../cues.ts'
import { type FrameMedia, type FrameProtocol, shown, type Wordings } from '../frames.ts'
import { blindWording, ownWording, type PromptTask, promptText, readWording } from './prompt.ts'
import type { CgBenchRecord } from './record.ts'
import { allLines, subtitleLines } from './subtitles.ts'

export const settings = z.object({
  ...shownSettings(128, 'frames over the whole video, at most 32 of the clues'),
  subtitles: z
    .union([z.boolean(), z.enum(['at frames', 'whole'])])
    .default(true)
    .describe('S: what is said at the frames (on), nowhere (off), or in the whole video'),
  subtitlesAt: subtitlesAtSetting,
  subtitleTimes: z.boolean().default(true).describe('ST: the times of those lines'),
  frameTimes: z.boolean().default(true).describe('FT: the times of the frames'),
  markup: z.enum(['as released', 'plain']).default('plain').describe('subtitle markup: {\\i1} as released, or none'),
  wording: z.string().optional().describe('a JSON file with the wording of the prompts'),
})
export type Settings = z.infer<typeof settings>

// The clue tasks never show more than this many frames.
export const maxClueFrames = 32

// All pictures first, then one text: system text, subtitles at the frames, their times, question, options.
export const frames: FrameProtocol<CgBenchRecord, Settings & Wordings> = {
  request({ record }, task, media, options) {
    const { framesPerSecond, duration } = media
    const { frameTimes, wordingText } = options
    const { moments } = media
    const sampled = moments && task !== 'clue_acc' // frames of the clues are taken by the protocol
    const indices = sampled
      ? sampledTimes(options, media, () => []).map(time => Math.round(time * framesPerSecond))
      : indicesFor(record, task, media, frameCount(options, media))
    const subtitles = linesFor(record, task, media, options, indices)
    const isBlind = indices.length === 0
    const text = {
      ...(subtitles && { subtitles }),
      ...(frameTimes && !isBlind && { frames: { indices, framesPerSecond } }),
      ...(isBlind && { duration }),
    }
    const name = task as PromptTask
    const usual = isBlind ? blindWording(subtitles !== undefined && subtitles.length > 0) : ownWording
    const wording = wordingText === undefined ? usual : readWording(wordingText, 'the wording')
    const seconds = indices.map(index => index / framesPerSecond)
    const prompt = wording.system[name] + promptText(name, record, text, wording)
    return { turns: shown(seconds, prompt), temperature: 0, maxTokens: 1024 }
  },
  // Without frames the whole video and its clues are the same request: the paper's row of text alone has one number for both.
  shares: (task, { frames, subtitles }) =>
    frames === 0 && (subtitles === false || subtitles === 'whole') && task === 'clue_acc' ? 'long_acc' : task,
}

function indicesFor(
  { clue_intervals: clues }: CgBenchRecord,
  task: string,
  { framesPerSecond, lastFrame }: FrameMedia,
  count: number,
): number[] {
  if (count === 0) return []
  if (task === 'clue_acc') return framesOfClues(clues, Math.min(count, maxClueFrames), framesPerSecond)
  return framesOverall(lastFrame, count)
}

function linesFor(
  record: CgBenchRecord,
  task: string,
  media: FrameMedia,
  { subtitles: which, subtitlesAt, subtitleTimes: times, markup }: Settings,
  shown: readonly number[],
): string[] | undefined {
  if (which === false || media.subtitles === undefined) return undefined
  const cues = parseCues(media.subtitles)
  if (which === 'whole') return allLines(cues, { times, markup })
  const indices = subtitlesAt === undefined ? shown : indicesFor(record, task, media, subtitlesAt)
  return subtitleLines(cues, indices, media.framesPerSecond, { times, markup })
}

// Frames in the middle of equal segments of the whole video. `lastFrame` is the index that video_meta_info.json calls max_frame.
export function framesOverall(lastFrame: number, count: number): number[] {
  const segment = lastFrame / count
  return Array.from({ length: count }, (_, i) => Math.trunc(segment / 2 + toEven(segment * i)))
}

// Frames of the clue intervals: all of them while there are no more than `count`, else shared out by length, one at least
// for each. The sum may fall short of `count`; overlapping clues are not merged.
export function framesOfClues(clues: readonly Interval[], count: number, framesPerSecond: number): number[] {
  const spans = clues.map(([start, end]): Interval => [toEven(start * framesPerSecond), toEven(end * framesPerSecond)])
  const total = totalLength(spans)
  return spans.flatMap(([start, end]) => {
    if (count >= total) return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i)
    const frames = Math.max(1, Math.trunc(count * ((end - start) / total)))
    const segment = (end - start) / frames
    return Array.from({ length: frames }, (_, i) => Math.trunc(start + segment / 2 + segment * i))
  })
}
