import { evenly, type FrameProtocol, numberOption, type Part } from '../frames.ts'
import { resultsText, toolPrompt } from './agentic/prompt.ts'
import { expectedOf, turnOf } from './rubric.ts'
import { idealTurns, stripThinking } from './turns.ts'

// The conversation so far with the reference answers, the frames with its first turn. The released tools send the whole
// video file instead, which most servers do not take.
export const frames: FrameProtocol = {
  request(sample, task, { duration }, options) {
    const pictures = evenly(duration, numberOption(options, 'frames', 128)).map((frame): Part => ({ frame }))
    const turn = idealTurns(sample.record).find(({ index }) => index === turnOf(sample))
    const history = turn?.history ?? []
    const expected = expectedOf(sample)
    // An agentic turn is asked twice: for the calls, and for the answer with what the expected calls return.
    const wordsOf = (text: string) =>
      task === 'tools' ? toolPrompt(text) : expected.length > 0 ? `${text}\n\n${resultsText(expected)}` : text
    return {
      turns: history.map(({ role, text, first }, place) => ({
        role,
        parts: [
          ...(first && role === 'user' ? pictures : []),
          { text: place === history.length - 1 ? wordsOf(text) : text },
        ],
      })),
      temperature: 0.1,
      maxTokens: 4096,
    }
  },
  read: reply => stripThinking(reply) ?? '',
}
