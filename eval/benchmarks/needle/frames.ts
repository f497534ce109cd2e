import { evenly, type FrameProtocol, shown } from '../frames.ts'
import { choicePrompt } from '../multiple-choice/prompt.ts'

const frameCount = 128

// Earlier turns first, with their reference answers; then the question, with options where it is the twin.
export const frames: FrameProtocol = {
  request(sample, task, { duration }) {
    const { question, turns = [] } = sample
    const text =
      task === 'mcq'
        ? choicePrompt(sample)
        : `${question.text} Answer in a few words; say so where the video does not tell.`
    const before = turns.map(turn => `${turn.question.text} ${turn.reference}`).join('\n')
    return {
      turns: shown(evenly(duration, frameCount), before === '' ? text : `${before}\n${text}`),
      temperature: 0,
      maxTokens: 512,
    }
  },
}
