import { cuesIn } from '../cues.ts'
import { evenly, type FrameMedia, type FrameProtocol, numberOption, type ProtocolOptions, shown } from '../frames.ts'
import { optionLines } from '../multiple-choice/prompt.ts'
import { ownPrompt } from '../prompt-file.ts'
import { batchText, singleText, subtitlesAt, systemText } from './prompt.ts'
import type { AllvbRecord } from './record.ts'
import { readBatch } from './reply.ts'

// One question a request, or all questions of a film at once, as the paper asks closed models.
export const frames: FrameProtocol<AllvbRecord> = {
  request(sample, _, media, options) {
    const { times, lines } = seen(media, options)
    const filled = { question: sample.question.text, options: optionLines(sample), subtitles: lines.join(' ') }
    const own = ownPrompt(options, 'answer', filled)
    return {
      ...(own === undefined && { system: systemText }),
      turns: shown(times, own ?? singleText(sample.record, lines)),
      temperature: 0,
      maxTokens: 512,
    }
  },
  batch: {
    wanted: options =>
      options.batch === 'whole film' ? numberOption(options, 'chunk', Number.POSITIVE_INFINITY) : undefined,
    request(samples, media, options) {
      const { times, lines } = seen(media, options)
      const text = batchText(
        samples.map(sample => sample.record),
        lines,
      )
      return { turns: shown(times, text), temperature: 0, maxTokens: 64 + 16 * samples.length }
    },
    read: (reply, samples) =>
      readBatch(reply, samples.length).map(letter => (letter === undefined ? undefined : `Best Answer: ${letter}`)),
  },
}
function seen({ duration, subtitles }: FrameMedia, options: ProtocolOptions): { times: number[]; lines: string[] } {
  const times = evenly(duration, numberOption(options, 'frames', 16))
  return { times, lines: subtitles === undefined ? [] : subtitlesAt(cuesIn(subtitles), times) }
}
