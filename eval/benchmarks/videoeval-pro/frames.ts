import { type FrameProtocol, numberOption, shown } from '../frames.ts'
import { ownPrompt } from '../prompt-file.ts'
import { framesOf, promptText } from './prompt.ts'
import type { VideoEvalProRecord } from './record.ts'

// Two independent requests, each with the same frames before one text.
export const frames: FrameProtocol<VideoEvalProRecord> = {
  request(sample, task, { framesPerSecond, lastFrame }, options) {
    const indices = framesOf(lastFrame + 1, numberOption(options, 'frames', 32))
    const { record } = sample
    const own = ownPrompt(options, task, { question: record.question, options: record.options.join(' ') })
    const text = own ?? promptText(task === 'open' ? 'open' : 'mcq', record)
    return {
      turns: shown(
        indices.map(index => index / framesPerSecond),
        text,
      ),
      temperature: 0,
      maxTokens: 1024,
    }
  },
}
