import type { Sample } from '../sample.ts'
import { letterAt } from './record.ts'

// The request after the frames, with the subtitles before it where they are on; our words.
export function choicePrompt({ question }: Pick<Sample, 'question'>, subtitles?: readonly string[]): string {
  const blocks = subtitles
    ? [subtitles.length > 0 ? `What is said in the video:\n${subtitles.join('\n')}` : 'The video has no subtitles.']
    : []
  blocks.push(
    `Which option is right, by what the video shows${subtitles ? ' and what is said in it' : ''}? Reply with its letter alone.`,
  )
  blocks.push(`${question.text}\n${optionLines({ question })}`)
  return blocks.join('\n\n')
}

export function optionLines({ question: { options = [] } }: Pick<Sample, 'question'>): string {
  return options.map((option, i) => `${letterAt(i)}. ${option}`).join('\n')
}
