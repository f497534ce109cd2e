import { z } from 'zod'
import { mergeSpans } from '../../../src/core/time.ts'
import { type Interval, totalLength } from '../../metrics/intervals.ts'
import { toEven } from '../../metrics/rounding.ts'
import { parseCues } from '../../protocols/cues.ts'
import { type FrameMedia, type FrameProtocol, showFrames, type Wordings } from '../../protocols/frames.ts'
import { frameCount, sampledTimes, shownSettings, subtitlesAtSetting } from '../../protocols/show.ts'
import type { PaperMode } from '../benchmark.ts'
import {
  blindWording,
  cgBenchPrompt,
  type PromptTask,
  readCgBenchWording,
  withBareLetter,
  wordingFor,
} from './prompt.ts'
import { type CgBenchRecord, clueSpans } from './record.ts'
import { allLines, subtitleLines } from './subtitles.ts'

export const cgBenchFrameSettings = z.object({
  ...shownSettings(128, 'frames over the whole video, at most 32 of the clues'),
  subtitles: z
    .union([z.boolean(), z.enum(['at frames', 'whole'])])
    .default(true)
    .describe('S: what is said at the frames (on), nowhere (off), or in the whole video'),
  subtitlesAt: subtitlesAtSetting,
  subtitleTimes: z.boolean().default(true).describe('ST: the times of those lines'),
  frameTimes: z.boolean().default(true).describe('FT: the times of the frames'),
  reply: z
    .enum(['json', 'letter'])
    .optional()
    .meta({ usual: 'json' })
    .describe(
      'how a choice is replied: as JSON, as released (default); letter: as its letter alone, as other harnesses ask',
    ),
  markup: z.enum(['as released', 'plain']).default('plain').describe('subtitle markup: {\\i1} as released, or none'),
  wording: z.string().optional().describe('a JSON file with the wording of the prompts'),
})
type Settings = z.infer<typeof cgBenchFrameSettings>

const withFrames = (subtitles: boolean, subtitleTimes: boolean, frameTimes: boolean, ...more: string[]): PaperMode => ({
  options: [...[`subtitles=${subtitles}`, `subtitleTimes=${subtitleTimes}`, `frameTimes=${frameTimes}`], ...more],
})

// Rows of Tables 4 and 10, the row of text alone of Table 3, and the clip of the clues.
export const variants: Readonly<Record<string, PaperMode>> = {
  blind: { options: ['frames=0', 'subtitles=false'] },
  'S@128': {
    options: ['frames=0', 'subtitles=at frames', 'subtitlesAt=128', 'subtitleTimes=false'],
    printed: 'S (128 frames)',
  },
  'S@full': { options: ['frames=0', 'subtitles=whole', 'subtitleTimes=false'], printed: 'S (full-video)' },
  F: withFrames(false, false, false),
  'F+FT': withFrames(false, false, true),
  'F+S': withFrames(true, false, false),
  'F+S+ST': withFrames(true, true, false),
  'F+S+FT': withFrames(true, false, true),
  'F+S+ST+FT': withFrames(true, true, true),
  'F+S+ST+FT+A': withFrames(true, true, true, 'audio=whole'),
  clue: { options: ['clues=only'] },
}

// The clue tasks never show more than this many frames.
export const maxClueFrames = 32

// All pictures first, then one text: system text, subtitles at the frames, their times, question, options.
export const cgBenchFrames: FrameProtocol<CgBenchRecord, Settings & Wordings> = {
  request({ record }, task, media, options) {
    const { framesPerSecond, duration, moments } = media
    const { frameTimes, wordingText } = options
    // Frames of the clues are taken by the protocol.
    const sampled = moments && task !== 'clue_acc' ? sampledTimes(options, media, () => []) : undefined
    const indices =
      sampled?.map(time => Math.round(time * framesPerSecond)) ??
      indicesFor(record, task, media, frameCount(options, media))
    const subtitles = linesFor(record, task, media, options, indices)
    const isBlind = indices.length === 0 && !media.native
    const text = {
      ...(subtitles && { subtitles }),
      ...(frameTimes && indices.length > 0 && { frames: { indices, framesPerSecond } }),
      ...(indices.length === 0 && { duration }),
    }
    const name = task as PromptTask
    const usual = isBlind
      ? blindWording(subtitles !== undefined && subtitles.length > 0)
      : wordingFor(indices.length > 0 ? undefined : media.native)
    const chosenWording = options.reply === 'letter' ? withBareLetter(usual) : usual
    const wording = wordingText === undefined ? chosenWording : readCgBenchWording(wordingText, 'the wording')
    const seconds = sampled ?? indices.map(index => index / framesPerSecond)
    const prompt = wording.system[name] + cgBenchPrompt(name, record, text, wording)
    const about = task === 'clue_acc' && !media.isClip ? { about: mergeSpans(clueSpans(record), 0) } : {}
    return { turns: showFrames(seconds, prompt), temperature: 0, maxTokens: 1024, ...about }
  },
  // Without frames the whole video and its clues are the same request: the paper's row of text alone has one number for both.
  shares: (task, { frames, subtitles, subtitlesAt }) => {
    const isOne = subtitles === false || subtitles === 'whole' || subtitlesAt === undefined
    return frames === 0 && isOne && task === 'clue_acc' ? 'long_acc' : task
  },
}

function indicesFor(
  { clue_intervals: clues }: CgBenchRecord,
  task: string,
  { framesPerSecond, lastFrame, isClip }: FrameMedia,
  count: number,
): number[] {
  if (count === 0) return []
  const most = task === 'clue_acc' ? Math.min(count, maxClueFrames) : count
  if (task === 'clue_acc' && !isClip) return framesOfClues(clues, most, framesPerSecond)
  return framesOverall(lastFrame, most)
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
