import { type FrameProtocol, numberOption, shown } from '../frames.ts'
import { ownPrompt } from '../prompt-file.ts'
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

// The two independent requests about an item, after its frames: our words in the released structure.
export function promptText(task: 'open' | 'mcq', record: VideoEvalProRecord): string {
  if (task === 'open') return `${record.question} Answer in a few words.`
  return [
    'Which option is right, by what the video shows? Reply with its letter alone.',
    record.question,
    record.options.join(' '),
  ].join('\n')
}

// Which of `total` frames in file order are shown: all while there are no more than `count`, else evenly from the first.
export function framesOf(total: number, count: number): number[] {
  const shown = Math.min(total, count)
  return Array.from({ length: shown }, (_, i) => (total <= count ? i : Math.trunc((i * total) / count)))
}
