import { isStopWord } from '../../../../src/text/words.ts'
import type { Line } from '../line.ts'
import { isDate } from './date.ts'

const prepositions = 'from|in|at|on|near|to|inside|behind|under|into|between|beside|outside|next to|opposite|across'
const ends = 'and|but|on|at|in|is|was|who|which|from|to|because|every|for|with|by|when|where|of course'

// Where: "in the main hall", "from Chicago"; for "which city", what is called one.
export function placeIn(question: string, { text, words, at }: Line): string | undefined {
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
  const wanted = /\b(from|to|into|toward|at)\b\s*\??$/i.exec(question.trim())?.[1]?.toLowerCase() ?? ''
  const start = at.length > 0 ? words[at[0]].start : 0
  const pattern = new RegExp(
    String.raw`\b(${prepositions})\s+((?:the |a |an )?[\p{L}\p{N}'’-]+(?:\s+(?!(?:${ends})\b)[\p{L}\p{N}'’-]+){0,3})`,
    'giu',
  )
  const places = [...text.matchAll(pattern)]
    .filter(match => !isDate(match[0]) && !isStopWord(match[2].toLowerCase()))
    .filter(match => !noun || /\p{Lu}/u.test(match[2]) || !/\p{Lu}/u.test(text.slice(1)))
    .map(match => {
      const to = /^(to|from)$/i.test(match[1])
      const score =
        (match[1].toLowerCase() === wanted ? 3 : 0) +
        (match.index >= start ? 1 : 0) +
        (/\p{Lu}/u.test(match[2]) ? 0.5 : 0) -
        (to && !wanted && !/\b(send|go|travel|move|fly|drive|sail|ship)\b/i.test(question) ? 0.5 : 0) -
        match.index / 1e4
      return { text: match[0], score }
    })
  return places.sort((a, b) => b.score - a.score)[0]?.text
}
