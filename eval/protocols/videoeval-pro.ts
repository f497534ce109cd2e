import { ownPrompt } from '../benchmarks/prompt-file.ts'
import { framesOf, promptText } from '../benchmarks/videoeval-pro/prompt.ts'
import { VideoEvalProRecord } from '../benchmarks/videoeval-pro/record.ts'
import { type FrameProtocol, numberOption, shown } from './frame-request.ts'

// Two independent requests, each with the same frames before one text.
const videoEvalPro: FrameProtocol = {
  request(sample, task, { framesPerSecond, lastFrame }, options) {
    const indices = framesOf(lastFrame + 1, numberOption(options, 'frames', 32))
    const record = VideoEvalProRecord.parse(sample.record)
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
export default videoEvalPro
