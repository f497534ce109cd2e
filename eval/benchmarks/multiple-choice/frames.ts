import { cuesIn } from '../cues.ts'
import { evenly, type FrameProtocol, numberOption, shown } from '../frames.ts'
import { ownPrompt } from '../prompt-file.ts'
import { choicePrompt, optionLines } from './prompt.ts'

// Frames over the video, what is said at them where subtitles are on, the question with its options.
export const choiceFrames: FrameProtocol = {
  request(sample, _, { duration, subtitles }, options) {
    const times = evenly(duration, numberOption(options, 'frames', 128))
    const on = options.subtitles === true
    const lines = on
      ? cuesIn(subtitles ?? '').filter(cue => times.some(time => cue.start <= time && time < cue.end))
      : undefined
    const said = lines?.map(cue => cue.text)
    const filled = { question: sample.question.text, options: optionLines(sample), subtitles: said?.join('\n') }
    const text = ownPrompt(options, 'answer', filled) ?? choicePrompt(sample, said)
    return { turns: shown(times, text), temperature: 0, maxTokens: 256 }
  },
}
