import { type FrameMedia, type FrameProtocol, numberOption, type Part } from '../frames.ts'
import { choicePrompt, optionLines } from '../multiple-choice/prompt.ts'
import type { ChoiceRecord } from '../multiple-choice/record.ts'
import { ownPrompt } from '../prompt-file.ts'
import { frameTimes, interleave, readCues } from './subtitles.ts'

// Frames with the subtitles between them, where they are said; the question comes last.
export const frames: FrameProtocol<ChoiceRecord> = {
  request(sample, _, media, options) {
    const times = frameTimes(media.duration, numberOption(options, 'frames', 128))
    const cues = options.subtitles === 'none' ? [] : cuesOf(media, sample.record.record)
    const parts = interleave(times, cues).map(
      (one): Part => (typeof one === 'number' ? { frame: times[one] } : { text: one }),
    )
    const filled = { question: sample.question.text, options: optionLines(sample) }
    const text = ownPrompt(options, 'answer', filled) ?? choicePrompt(sample)
    return {
      turns: [{ role: 'user', parts: [...parts, { text }] }],
      temperature: 0,
      maxTokens: 256,
    }
  },
}
// Times in a subtitle file count from the start of the video that the clip was cut from.
function cuesOf({ subtitles, duration }: FrameMedia, record: unknown): ReturnType<typeof readCues> {
  if (subtitles === undefined) return []
  const start = (record as { starting_timestamp_for_subtitles?: unknown }).starting_timestamp_for_subtitles
  return readCues(JSON.parse(subtitles), { offset: typeof start === 'number' ? start : 0, duration })
}
