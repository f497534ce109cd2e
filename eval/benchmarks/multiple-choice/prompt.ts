import type { Sample } from '../../data/sample.ts'
import { optionLines } from '../../metrics/choice/options.ts'
import { cuesIn } from '../../protocols/cues.ts'
import { evenFrameTimes, type FrameProtocol, showFrames, type Wordings } from '../../protocols/frames.ts'
import { saidBlind, sampledTimes } from '../../protocols/show.ts'
import { readPrompt } from '../prompt-file.ts'

// Frames over the video, what is said at them where subtitles are on, the question with its options.
export const choiceFrames: FrameProtocol<
  unknown,
  { frames: number | string; mostFrames?: number; subtitles?: boolean } & Wordings
> = {
  request(sample, _, media, options) {
    const { duration, subtitles = '' } = media
    const times = sampledTimes(options, media, count => evenFrameTimes(duration, count))
    const subtitleText = options.subtitles ? subtitlesAt(subtitles, times) : undefined
    const { text: question, options: offered } = sample.question
    const filled = { question, options: optionLines(offered), subtitles: subtitleText?.join('\n') }
    const text =
      readPrompt(options, 'answer', filled) ?? saidBlind(choicePrompt(sample, subtitleText), times.length, media.native)
    return { turns: showFrames(times, text), temperature: 0, maxTokens: 256 }
  },
}

// What is said at the frames: cues with start <= time < end, each once.
export function subtitlesAt(srt: string, times: readonly number[]): string[] {
  return cuesIn(srt)
    .filter(cue => times.some(time => cue.start <= time && time < cue.end))
    .map(cue => cue.text)
}

// The request after the frames, with the subtitles before it where they are on; our words.
export function choicePrompt({ question }: Pick<Sample, 'question'>, subtitles?: readonly string[]): string {
  const blocks = subtitles
    ? [subtitles.length > 0 ? `What is said in the video:\n${subtitles.join('\n')}` : 'The video has no subtitles.']
    : []
  blocks.push(
    `Which option is right, by what the video shows${subtitles ? ' and what is said in it' : ''}? Reply with only its letter.`,
  )
  blocks.push(`${question.text}\n${optionLines(question.options)}`)
  return blocks.join('\n\n')
}
