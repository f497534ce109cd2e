import { readChoice } from '../../metrics/choice/read-choice.ts'
import type { InfiniBenchRecord } from './record.ts'

// The request after the frames: our words; options are numbered from 0, as the answers are.
export function promptText(record: Pick<InfiniBenchRecord, 'question' | 'options'>, subtitles?: string): string {
  const blocks = subtitles ? [`Subtitles:\n${subtitles}`] : []
  blocks.push(`Question: ${record.question}`)
  if (record.options) {
    blocks.push(`Options:\n${record.options.map((option, i) => `${i}. ${option}`).join('\n')}`)
    blocks.push('Reply with the number of the right option alone.')
  } else blocks.push('Answer from the video and its subtitles.')
  return blocks.join('\n\n')
}

// What goes into a prediction file: the option number that the reply gives, by number, letter or the option's words;
// null where it gives none. The released scorer compares this and nothing softer.
export function predictedIndex(reply: string | null, options: readonly string[]): number | null {
  const text = (reply ?? '').trim()
  const number =
    /^(?:(?:the\s+)?(?:correct\s+|final\s+)?(?:answer|option|choice)\s*(?:is|:)?\s*)?(?:option\s*)?[\s([*"'`]*(\d+)(?![\d\p{L}]|\.\d)/iu.exec(
      text,
    )
  if (number) return Number(number[1]) < options.length ? Number(number[1]) : null
  const { letter } = readChoice(text, { count: options.length, texts: [...options] })
  return letter === undefined ? null : letter.charCodeAt(0) - 65
}
