import { idealTurns, stripThinking } from '../benchmarks/longshot/turns.ts'
import { turnOf } from '../run/rubric.ts'
import { evenly, type FrameProtocol, numberOption, type Part } from './frame-request.ts'

// The conversation so far with the reference answers, the frames with its first turn. The released tools send the whole
// video file instead, which most servers do not take.
const longshot: FrameProtocol = {
  request(sample, _, { duration }, options) {
    const frames = evenly(duration, numberOption(options, 'frames', 128)).map((frame): Part => ({ frame }))
    const turn = idealTurns(sample.record).find(({ index }) => index === turnOf(sample))
    return {
      turns: (turn?.history ?? []).map(({ role, text, first }) => ({
        role,
        parts: [...(first && role === 'user' ? frames : []), { text }],
      })),
      temperature: 0.1,
      maxTokens: 4096,
    }
  },
  read: reply => stripThinking(reply) ?? '',
}
export default longshot
