import { z } from 'zod'
import { optionLines } from '../../metrics/choice/options.ts'
import {
  evenFrameTimes,
  type FrameMedia,
  type FrameProtocol,
  type Native,
  showFrames,
  type Wordings,
} from '../../protocols/frames.ts'
import { saidBlind, sampledTimes, shownSettings } from '../../protocols/show.ts'
import { linesSaid, type SubtitleOptions, subtitleSettings } from '../../protocols/subtitles.ts'
import { subtitlesAt } from '../multiple-choice/prompt.ts'
import { promptSetting, readPrompt } from '../prompt-file.ts'
import { readBatch } from './grade.ts'
import type { AllvbRecord } from './record.ts'

export const allvbFrameSettings = z.object({
  ...shownSettings(16, 'frames over the whole film; the paper also has 64'),
  ...subtitleSettings,
  batch: z.enum(['one question', 'whole film']).default('one question').describe('questions per request'),
  prompt: promptSetting,
  chunk: z.number().int().positive().optional().describe('at most so many questions per request; a deviation'),
})
type Settings = z.infer<typeof allvbFrameSettings>

// One question a request, or all questions of a film at once, as the paper asks closed models.
export const allvbFrames: FrameProtocol<AllvbRecord, Settings & Wordings> = {
  request(sample, _, media, options) {
    const { times, lines } = seen(media, options)
    const material = describeMaterial(times.length, media.native, lines)
    const { text: question, options: offered } = sample.question
    const ownPrompt = readPrompt(options, 'answer', {
      question,
      options: optionLines(offered),
      subtitles: lines.join(' '),
    })
    return {
      ...(ownPrompt === undefined && times.length > 0 && { system: systemText }),
      turns: showFrames(
        times,
        ownPrompt ?? saidBlind(singleText(sample.record, lines, material), times.length, media.native),
      ),
      temperature: 0,
      maxTokens: 512,
    }
  },
  batch: {
    wanted: ({ batch, chunk = Number.POSITIVE_INFINITY }) => (batch === 'whole film' ? chunk : undefined),
    request(samples, media, options) {
      const { times, lines } = seen(media, options)
      const shownMaterial = describeMaterial(times.length, media.native, lines)
      const records = samples.map(sample => sample.record)
      return {
        turns: showFrames(times, saidBlind(batchText(records, lines, shownMaterial), times.length, media.native)),
        temperature: 0,
        maxTokens: 64 + 16 * samples.length,
      }
    },
    read: (reply, samples) =>
      readBatch(reply, samples.length).map(letter => (letter === undefined ? undefined : `Best Answer: ${letter}`)),
  },
}

// The paper leaves it open which subtitles belong to a frame: here those that are said at it.
function seen(media: FrameMedia, options: Settings): { times: number[]; lines: string[] } {
  const { duration, subtitles } = media
  const times = sampledTimes(options, media, count => evenFrameTimes(duration, count))
  const usual = () => (subtitles === undefined ? [] : subtitlesAt(subtitles, times))
  const subtitleOptions: SubtitleOptions = options
  const timesOf = (count: number) => evenFrameTimes(duration, count)
  return {
    times,
    lines:
      subtitleOptions.subtitles === undefined ? usual() : (linesSaid(subtitleOptions, media, times, timesOf) ?? []),
  }
}

// What stands before the questions: frames, the film itself, or only its sound or its subtitles; null: nothing of it.
function describeMaterial(frames: number, native: Native | undefined, lines: readonly string[]): Material | null {
  if (frames > 0) return ofFrames
  if (native) {
    const what = native === 'video' ? 'a film' : 'the sound of a film'
    return { what: `${what}, what is said in it,`, by: 'them' }
  }
  return lines.length > 0 ? { what: 'what is said in a film,', by: 'it' } : null
}

interface Material {
  what: string
  by: string
}

const ofFrames: Material = { what: 'frames of a film, what is said with them,', by: 'frames and subtitles' }

// Our words in the structure of the paper: one question with its subtitles, strict last line "Best Answer: ...".
const systemText =
  'You know how to read videos and their subtitles. Look closely at the frames and at what is said with them, then choose the option that fits best.'

export function singleText(
  record: AllvbRecord,
  subtitles: readonly string[],
  given: Material | null = ofFrames,
): string {
  return [
    ...(given === null
      ? ['You have a question about a film with five options.']
      : [
          `You have ${given.what} and a question with five options. Choose by ${given.by}.`,
          `Subtitles: ${subtitles.join(' ')}`,
        ]),
    `Question: ${questionText(record)}`,
    'Reply in this form and no other:',
    'Best Answer: [letter]',
  ].join('\n\n')
}

// All questions of a film at once. The paper sends about 183; a smaller chunk is a deviation and is to be reported.
export function batchText(
  records: readonly AllvbRecord[],
  subtitles: readonly string[],
  given: Material | null = ofFrames,
): string {
  return [
    ...(given === null
      ? [`You have ${records.length} questions about a film with five options each.`]
      : [
          `You have ${given.what} and ${records.length} questions with five options each. Choose by ${given.by}.`,
          `Subtitles: ${subtitles.join(' ')}`,
        ]),
    records.map((record, i) => `Question ${i + 1}: ${questionText(record)}`).join('\n\n'),
    'Reply in this form and no other:',
    records.map((_, i) => `Question ${i + 1}: [letter]`).join('\n'),
  ].join('\n\n')
}

function questionText({ question, options }: AllvbRecord): string {
  return `${question}\n${optionLines(options)}`
}
