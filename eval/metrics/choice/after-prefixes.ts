import { pythonWords, strip } from '../../python/text.ts'

// The letter that Video-MME's family of scorers takes: known phrases are cut out wherever they stand, then the first
// capital of the range counts, even inside a word. '' if there is none.
export function letterAfterPrefixes(reply: string, prefixes: readonly string[], letters: string): string {
  const range = new RegExp(`[${letters}]`)
  let text = strip(reply)
  for (const prefix of prefixes) text = text.replaceAll(prefix, '')
  if (pythonWords(text).length > 10 && !range.test(text)) return ''
  return range.exec(text)?.[0] ?? ''
}

const answerPrefixes = ['The best answer is', 'The correct answer is', 'The answer is', 'The answer']

// As released: two commas are missing in the list, so "Best answer:" alone is not a prefix and its B is read as the choice.
export const videoMmePrefixes = [
  ...answerPrefixes,
  'The best option isThe correct option is',
  'Best answer:Best option:',
]

export const longVideoBenchPrefixes = [
  ...answerPrefixes,
  'The best option is',
  'The correct option is',
  'Best answer:',
  'Best option:',
]

export const videoMmeV2Prefixes = ['Final Answer:', ...longVideoBenchPrefixes, 'Answer:', 'Option:']
