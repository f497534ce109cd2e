import { z } from 'zod'
import { letterIndex } from '../../metrics/choice/options.ts'
import { readReplyChoice } from '../../metrics/choice/read-choice.ts'
import { cuesIn } from '../../protocols/cues.ts'
import { type FrameMedia, type FrameProtocol, showFrames, type Wordings } from '../../protocols/frames.ts'
import { saidBlind, sampledTimes, shownSettings, subtitlesAtSetting } from '../../protocols/show.ts'
import { promptSetting, readPrompt } from '../prompt-file.ts'
import { officialNumber } from './dont-know.ts'
import { type InfiniBenchRecord, isChoiceSkill } from './record.ts'

export const infiniBenchFrameSettings = z.object({
  ...shownSettings(128),
  subtitlesAt: subtitlesAtSetting,
  subtitles: z
    .enum(['whole', 'at frames', 'none', 'off'])
    .default('whole')
    .describe('which subtitles go with the question'),
  dontKnow: z.boolean().optional().meta({ usual: true }).describe('whether "I don\'t know" is among the options'),
  prompt: promptSetting,
  judgeSystem: z.string().optional().describe('a file with the wording of the judge system text'),
})
type Settings = z.infer<typeof infiniBenchFrameSettings>

// Frames over the whole film, all of its subtitles or those at the frames, options numbered from 0.
export const infiniBenchFrames: FrameProtocol<InfiniBenchRecord, Settings & Wordings> = {
  request({ question, groups }, _, media, options) {
    const times = sampledTimes(options, media, count => spreadTimes(media, count))
    const count = media.native ? Math.max(1, times.length) : times.length
    const promptFields = {
      question: question.text,
      options: isChoiceSkill(groups.skill) ? question.options : undefined,
    }
    const subtitles = selectSubtitles(
      media,
      options.subtitles,
      options.subtitlesAt === undefined ? times : spreadTimes(media, options.subtitlesAt),
    )
    const filled = { ...promptFields, options: numbered(promptFields.options), subtitles }
    const text =
      readPrompt(options, 'answer', filled) ?? saidBlind(infiniBenchPrompt(promptFields, subtitles, count), count)
    return { turns: showFrames(times, text), temperature: 0, maxTokens: 1024 }
  },
  read(reply, sample) {
    const { question, groups } = sample
    return isChoiceSkill(groups.skill) ? officialNumber(predictedIndex(reply, question.options ?? []), sample) : reply
  },
}

function spreadTimes({ lastFrame, framesPerSecond }: FrameMedia, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.round((i * lastFrame) / Math.max(1, count - 1)) / framesPerSecond)
}

function selectSubtitles(
  { subtitles }: FrameMedia,
  which: Settings['subtitles'],
  times: readonly number[],
): string | undefined {
  if (subtitles === undefined || which === 'none' || which === 'off') return undefined
  const cues = cuesIn(subtitles)
  const chosen =
    which === 'at frames' ? times.flatMap(time => cues.find(cue => cue.start <= time && time <= cue.end) ?? []) : cues
  return chosen.map(cue => cue.text).join('\n')
}

// The request after the frames: our words; options are numbered from 0, as the answers are.
export function infiniBenchPrompt(
  { question, options }: Pick<InfiniBenchRecord, 'question' | 'options'>,
  subtitles?: string,
  frames = 1,
): string {
  const by = [...(frames > 0 ? ['the video'] : []), ...(frames > 0 || subtitles ? ['its subtitles'] : [])]
  return [
    ...(subtitles ? [`Subtitles:\n${subtitles}`] : []),
    `Question: ${question}`,
    ...(options
      ? [`Options:\n${numbered(options)}`, 'Reply with only the number of the right option.']
      : [by.length > 0 ? `Answer from ${by.join(' and ')}.` : 'Answer in a few sentences.']),
  ].join('\n\n')
}

function numbered(options: readonly string[] | undefined): string | undefined {
  return options?.map((option, i) => `${i}. ${option}`).join('\n')
}

// What goes into a prediction file: the option number that the reply gives, by number, letter or the option's words;
// undefined if it gives none. The released scorer compares this and nothing softer.
export function predictedIndex(reply: string | null, options: readonly string[]): number | undefined {
  const text = (reply ?? '').trim()
  const number =
    /^(?:(?:the\s+)?(?:correct\s+|final\s+)?(?:answer|option|choice)\s*(?:is|:)?\s*)?(?:option\s*)?[\s([*"'`]*(\d+)(?![\d\p{L}]|\.\d)/iu.exec(
      text,
    )
  if (number) return Number(number[1]) < options.length ? Number(number[1]) : undefined
  return letterIndex(readReplyChoice(text, { count: options.length, texts: options }).letter)
}
