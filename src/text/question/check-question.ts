import type { Question } from '../../core/agent.ts'
import { UsageError } from '../../core/errors.ts'

// A question is read by a person's eye and by hundreds of patterns; what is longer is a document.
const longestQuestion = 20_000

export function checkQuestion({ text, options = [] }: Question): void {
  if (text.trim() === '') throw new UsageError('The question is empty.', { hint: 'Ask something.' })
  checkLength('The question', text.length)
  checkLength(
    'The options',
    options.reduce((sum, option) => sum + option.length, 0),
  )
}

export function checkQuery({ query }: { query: string }): void {
  checkLength('The search', query.length)
}

function checkLength(what: string, length: number): void {
  if (length <= longestQuestion) return
  const numbers = [length, longestQuestion].map(value => value.toLocaleString('en'))
  throw new UsageError(`${what} must have at most ${numbers[1]} characters, got ${numbers[0]}.`, {
    hint: 'Ask for one thing, and leave out what the video says itself.',
  })
}
