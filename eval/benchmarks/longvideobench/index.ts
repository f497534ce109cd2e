import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { splitByName } from '../../data/files.ts'
import { listField, parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { letterAfterPrefixes, longVideoBenchPrefixes } from '../../metrics/choice/after-prefixes.ts'
import { letterAt, optionLines } from '../../metrics/choice/options.ts'
import type { FrameMedia, ShownPart, Wordings } from '../../protocols/frames.ts'
import { saidBlind, sampledTimes, shownSettings } from '../../protocols/show.ts'
import { pieces } from '../data-guide.ts'
import { choiceBenchmark } from '../multiple-choice/index.ts'
import { choicePrompt } from '../multiple-choice/prompt.ts'
import type { ChoiceRecord } from '../multiple-choice/record.ts'
import { promptSetting, readPrompt } from '../prompt-file.ts'

const Question = z.looseObject({
  id: z.string(),
  video_path: z.string(),
  question: z.string(),
  candidates: listField(z.coerce.string()).nullish(),
  correct_choice: z.coerce.number().int().nullish(), // from 0; withheld in the test split
  subtitle_path: z.string().nullish(),
  duration_group: z.coerce.string().nullish(),
  question_category: z.string().nullish(),
})

const settings = z.object({
  ...shownSettings(128, 'frames over the clip'),
  prompt: promptSetting,
  subtitles: z.enum(['between frames', 'none']).default('between frames').describe('subtitles where they are said'),
})

const files = ['lvb_val.json', 'lvb_test_wo_gt.json', 'validation.jsonl', 'test.jsonl'].concat(
  ['validation', 'test'].map(split => `${split}-00000-of-00001.parquet`),
)

const longVideoBench = choiceBenchmark({
  name: 'longvideobench',
  about: {
    summary: 'Multiple choice that refers to a moment of a video, frames and subtitles between each other',
    home: 'https://huggingface.co/datasets/longvideobench/LongVideoBench',
    licence: 'CC-BY-NC-SA-4.0; the data set is gated',
    guide: {
      dataset: 'longvideobench/LongVideoBench',
      terms: 'gated; CC-BY-NC-SA-4.0',
      videos: '162 GB in pieces of one archive',
      parts: {
        annotations: { files: ['lvb_val.json', 'lvb_test_wo_gt.json'], ofSplit: { val: ['lvb_val.json'] } },
        subtitles: { files: ['subtitles.tar'] },
        videos: { files: ['videos.tar.part.*'], note: pieces },
      },
    },
    download: [
      'From the data set longvideobench/LongVideoBench (Hugging Face, gated): lvb_val.json (1.3 MB, 1,337 questions) -> the folder that --data names',
      'videos.tar.part.aa to .be (162 GB), pieces of one archive -> videos/; subtitles.tar (117 MB) -> subtitles/;',
      'answers of the test split are withheld',
    ],
    chance: null,
    groupedBy: ['duration_group', 'question_category'],
  },
  task: 'choose among up to five options',
  settings,
  data: {
    mapped: {
      fields: {
        id: 'id',
        video_path: 'video',
        question: 'question',
        candidates: 'options',
        correct_choice: 'place',
        question_category: 'task',
      },
      more: ['subtitle_path', 'duration_group'],
    },
    annotations: {
      isFile: name => files.includes(name),
      splitOf: splitByName({ validation: ['validation', 'val'], test: ['test'] }),
    },
    records: async files => (await Promise.all(files.map(readChoiceRecords))).flat(),
  },
  // Frames with the subtitles between them, where they are said; the question comes last.
  frames: {
    request(sample, _, media, options: z.infer<typeof settings> & Wordings) {
      const times = sampledTimes(options, media, count => lvbFrameTimes(media.duration, count))
      const cues = options.subtitles === 'none' ? [] : readCues(media, sample.record.record)
      const parts = interleave(times, cues).map(
        (part): ShownPart => (typeof part === 'number' ? { frame: part } : { text: part }),
      )
      const { text: question, options: offered } = sample.question
      const text =
        readPrompt(options, 'answer', { question, options: optionLines(offered) }) ??
        saidBlind(choicePrompt(sample), times.length, media.native)
      return { turns: [{ role: 'user', parts: [...parts, { text }] }], temperature: 0, maxTokens: 256 }
    },
  },
  // The released harness puts a random option where it finds none; official scoring counts what that is worth on average.
  released: {
    read: reply => letterAfterPrefixes(reply, longVideoBenchPrefixes, 'A-E'),
    unreadable: 'random',
    unanswered: 'wrong',
  },
})
export default longVideoBench

async function readChoiceRecords(file: string): Promise<ChoiceRecord[]> {
  return (await readRecords(file)).map((value, i) => {
    const question = parseRecord(Question, value, 'longvideobench', `${file}, question ${i}`)
    return {
      id: question.id,
      video: `videos/${question.video_path}`,
      question: question.question,
      options: question.candidates ?? numberedOptions(question),
      ...(typeof question.correct_choice === 'number' && { answer: letterAt(question.correct_choice) }),
      groups: {
        duration_group: question.duration_group ? [question.duration_group] : [],
        question_category: question.question_category ? [question.question_category] : [],
      },
      ...(question.subtitle_path && { subtitles: `subtitles/${question.subtitle_path}` }),
      record: question,
    }
  })
}

// In the Parquet file the options are option0 to option4, "N/A" if there is none.
function numberedOptions(question: Record<string, unknown>): string[] {
  const options = [0, 1, 2, 3, 4].map(i => question[`option${i}`])
  return options.filter((option): option is string => typeof option === 'string' && option !== 'N/A')
}

// Times in a subtitle file count from the start of the video that the clip was cut from.
function readCues({ subtitles, duration }: FrameMedia, record: unknown): ReturnType<typeof readLvbCues> {
  if (subtitles === undefined) return []
  const start = (record as { starting_timestamp_for_subtitles?: unknown }).starting_timestamp_for_subtitles
  return readLvbCues(JSON.parse(subtitles), { offset: typeof start === 'number' ? start : 0, duration })
}

// The two shapes of a subtitle file: with [start, end] in seconds, or with clock times.
const Line = z.union([
  z.object({ timestamp: z.tuple([z.number(), z.number().nullable()]), text: z.string() }),
  z.object({ start: z.string(), end: z.string(), line: z.string() }),
])

interface LvbCue {
  start: number
  end: number // where the file leaves it open: the end of the video
  text: string
}

// Cues on the clip's own clock: the clip starts at `offset` of the video that the times count from.
export function readLvbCues(value: unknown, clip: { offset: number; duration: number }): LvbCue[] {
  const parsed = z.array(Line).safeParse(value)
  if (!parsed.success)
    throw new UsageError('This is not a subtitle file of longvideobench.', {
      hint: 'Expected is a list of {timestamp: [start, end], text} or {start, end, line}.',
    })
  return parsed.data.map(line => {
    if ('line' in line)
      return { start: seconds(line.start) - clip.offset, end: seconds(line.end) - clip.offset, text: line.line }
    const [start, end] = line.timestamp
    return { start: start - clip.offset, end: (end ?? clip.duration) - clip.offset, text: line.text }
  })
}

// Times of frames and texts of cues in the order a model is shown them: a cue stands at its middle, and only where it
// covers a frame; one shorter than a second is taken for a second around its middle.
export function interleave(frameTimes: readonly number[], cues: readonly LvbCue[]): (number | string)[] {
  const interleaved: (number | string)[] = []
  const remainingTimes = [...frameTimes]
  for (const cue of cues) {
    const middle = (cue.start + cue.end) / 2
    while ((remainingTimes[0] ?? Number.POSITIVE_INFINITY) <= middle) interleaved.push(remainingTimes.shift()!)
    const isShort = cue.end - cue.start < 1
    const from = isShort ? middle - 0.5 : cue.start
    const to = isShort ? middle + 0.5 : cue.end
    if (frameTimes.some(time => from < time && time < to)) interleaved.push(cue.text)
  }
  interleaved.push(...remainingTimes)
  return interleaved
}

// Frames evenly from the first on, one a second at most.
export function lvbFrameTimes(duration: number, max: number): number[] {
  const count = duration > max ? max : Math.trunc(duration)
  return Array.from({ length: count }, (_, i) => (duration > max ? (duration / max) * i : i))
}

function seconds(clock: string): number {
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
