import { frameTimes, interleave, readCues } from '../benchmarks/longvideobench/subtitles.ts'
import { choicePrompt } from '../benchmarks/multiple-choice/prompt.ts'
import { ownPrompt } from '../benchmarks/prompt-file.ts'
import { choiceRecord, optionLines } from './choice-record.ts'
import { type FrameMedia, type FrameProtocol, numberOption, type Part } from './frame-request.ts'

// Frames with the subtitles between them, where they are said; the question comes last.
const longVideoBench: FrameProtocol = {
  request(sample, _, media, options) {
    const times = frameTimes(media.duration, numberOption(options, 'frames', 128))
    const cues = options.subtitles === 'none' ? [] : cuesOf(media, sample.record)
    const parts = interleave(times, cues).map(
      (one): Part => (typeof one === 'number' ? { frame: times[one] } : { text: one }),
    )
    const filled = { question: sample.question.text, options: optionLines(sample) }
    const text = ownPrompt(options, 'answer', filled) ?? choicePrompt(choiceRecord(sample))
    return {
      turns: [{ role: 'user', parts: [...parts, { text }] }],
      temperature: 0,
      maxTokens: 256,
    }
  },
}
export default longVideoBench

// Times in a subtitle file count from the start of the video that the clip was cut from.
function cuesOf({ subtitles, duration }: FrameMedia, record: unknown): ReturnType<typeof readCues> {
  if (subtitles === undefined) return []
  const start = (record as { starting_timestamp_for_subtitles?: unknown }).starting_timestamp_for_subtitles
  return readCues(JSON.parse(subtitles), { offset: typeof start === 'number' ? start : 0, duration })
}
