import { choicePrompt } from '../benchmarks/multiple-choice/prompt.ts'
import { ownPrompt } from '../benchmarks/prompt-file.ts'
import { choiceRecord, optionLines } from './choice-record.ts'
import { cuesIn } from './cues.ts'
import { evenly, type FrameProtocol, numberOption, shown } from './frame-request.ts'

// Frames over the video, what is said at them where subtitles are on, the question with its options.
const choices: FrameProtocol = {
  request(sample, _, { duration, subtitles }, options) {
    const times = evenly(duration, numberOption(options, 'frames', 128))
    const on = options.subtitles === true
    const lines = on
      ? cuesIn(subtitles ?? '').filter(cue => times.some(time => cue.start <= time && time < cue.end))
      : undefined
    const said = lines?.map(cue => cue.text)
    const filled = { question: sample.question.text, options: optionLines(sample), subtitles: said?.join('\n') }
    const text = ownPrompt(options, 'answer', filled) ?? choicePrompt(choiceRecord(sample), said)
    return { turns: shown(times, text), temperature: 0, maxTokens: 256 }
  },
}
export default choices
