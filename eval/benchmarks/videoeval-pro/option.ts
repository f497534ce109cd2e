import { strip } from '../../python/text.ts'

const phrases = ['the answer is', 'answer:', 'the option is']

// As released: after the last of the first phrase that occurs, the first letter of any script is the choice. So
// "Option B" chooses o, "The correct answer is B" chooses t, "blue" chooses b, and "ERROR" chooses e.
export function optionAsReleased(right: string, reply: string | null | undefined): boolean {
  const text = strip(reply ?? '').toLowerCase()
  const phrase = phrases.find(candidate => text.includes(candidate))
  const rest = phrase === undefined ? text : strip(text.slice(text.lastIndexOf(phrase) + phrase.length))
  const chosen = /\p{L}/u.exec(rest)?.[0] ?? [...rest][0]
  const gold = strip(right)
  return chosen !== undefined && (chosen === gold || chosen === gold.toLowerCase())
}
