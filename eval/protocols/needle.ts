import { choicePrompt } from '../benchmarks/multiple-choice/prompt.ts'
import { choiceRecord } from './choice-record.ts'
import { evenly, type FrameProtocol, shown } from './frame-request.ts'

const frames = 128

// Earlier turns first, with their reference answers; then the question, with options where it is the twin.
const needle: FrameProtocol = {
  request(sample, task, { duration }) {
    const { question, turns = [] } = sample
    const text =
      task === 'mcq'
        ? choicePrompt(choiceRecord(sample))
        : `${question.text} Answer in a few words; say so where the video does not tell.`
    const before = turns.map(turn => `${turn.question.text} ${turn.reference}`).join('\n')
    return {
      turns: shown(evenly(duration, frames), before === '' ? text : `${before}\n${text}`),
      temperature: 0,
      maxTokens: 512,
    }
  },
}
export default needle
