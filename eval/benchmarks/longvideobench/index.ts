import { z } from 'zod'
import { splitByName } from '../../data/files.ts'
import { listed, parseRecord } from '../../data/parse-record.ts'
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
import { interleave, lvbFrameTimes, readLvbCues } from './subtitles.ts'

const Question = z.looseObject({
  id: z.string(),
  video_path: z.string(),
  question: z.string(),
  candidates: listed(z.coerce.string()).nullish(),
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

// In the Parquet file the options are option0 to option4, "N/A" where there is none.
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
