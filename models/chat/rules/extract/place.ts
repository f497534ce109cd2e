import { isStopWord } from '../../../../src/text/words.ts'
import type { TopicLine } from '../line.ts'
import { isDate } from './date.ts'

const prepositions = 'from|in|at|on|near|to|inside|behind|under|into|between|beside|outside|next to|opposite|across'
const ends = 'and|but|on|at|in|is|was|who|which|from|to|because|every|for|with|by|when|where|of course'

// Where: "in the main hall", "from Chicago"; for "which city", the name after "city of".
export function placeIn(question: string, { text, first }: TopicLine): string | undefined {
  const noun =
    /\b(?:what|which) (city|country|town|village|state|street|river|island|mountain|building|room|station|hotel|region|continent)\b/i.exec(
      question,
    )?.[1]
  if (noun) {
    const named = new RegExp(
      String.raw`\b${noun} (?:of|called|named)\s+([\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)*)`,
      'iu',
    ).exec(text)
    if (named) return named[1]
  }
  const askedPreposition = /\b(from|to|into|toward|at)\b\s*\??$/i.exec(question.trim())?.[1]?.toLowerCase() ?? ''
  const start = first?.start ?? 0
  const pattern = new RegExp(
    String.raw`\b(${prepositions})\s+((?:the |a |an )?[\p{L}\p{N}'’-]+(?:\s+(?!(?:${ends})\b)[\p{L}\p{N}'’-]+){0,3})`,
    'giu',
  )
  const places = [...text.matchAll(pattern)]
    .map(({ 0: whole, 1: preposition = '', 2: name = '', index }) => ({ whole, preposition, name, index }))
    .filter(({ whole, name }) => !isDate(whole) && !isStopWord(name.toLowerCase()))
    .filter(({ name }) => !noun || /\p{Lu}/u.test(name) || !/\p{Lu}/u.test(text.slice(1)))
    .map(({ whole, preposition, name, index }) => {
      const to = /^(to|from)$/i.test(preposition)
      const score =
        (preposition.toLowerCase() === askedPreposition ? 3 : 0) +
        (index >= start ? 1 : 0) +
        (/\p{Lu}/u.test(name) ? 0.5 : 0) -
        (to && !askedPreposition && !/\b(send|go|travel|move|fly|drive|sail|ship)\b/i.test(question) ? 0.5 : 0) -
        index / 1e4
      return { text: whole, score }
    })
  return places.sort((a, b) => b.score - a.score)[0]?.text
}
