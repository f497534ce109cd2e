import { type ChoiceRecord, letterAt } from './record.ts'

// The request after the frames, with the subtitles before it where they are on; our words.
export function choicePrompt(record: ChoiceRecord, subtitles?: readonly string[]): string {
  const blocks = subtitles
    ? [subtitles.length > 0 ? `What is said in the video:\n${subtitles.join('\n')}` : 'The video has no subtitles.']
    : []
  const options = record.options.map((option, i) => `${letterAt(i)}. ${option}`).join('\n')
  blocks.push(
    `Which option is right, by what the video shows${subtitles ? ' and what is said in it' : ''}? Reply with its letter alone.`,
  )
  blocks.push(`${record.question}\n${options}`)
  return blocks.join('\n\n')
}
