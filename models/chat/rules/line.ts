import type { Topic } from '../../../src/text/question/topic.ts'
import { wordSimilarity } from '../../../src/text/word-similarity.ts'
import { type Token, tokens } from '../../../src/text/words.ts'
import { areSynonyms } from './synonyms.ts'

// A line prepared for extraction: its words, and which of them occur in the question.
export interface TopicLine {
  text: string
  words: Token[]
  at: number[] // places of the question's words, in order
  first?: Token // the first of these
  last?: Token
  speaker?: string
}

export function prepareLine(text: string, topic: Topic, speaker?: string): TopicLine {
  const words = tokens(text)
  const at = words.flatMap((word, i) => (isTerm(word, topic) ? [i] : []))
  const first = words[at[0] ?? -1]
  const last = words[at.at(-1) ?? -1]
  return { text, words, at, first, last, speaker }
}

function isTerm(word: Token, topic: Topic): boolean {
  return topic.terms.some(term => wordSimilarity(term, word) >= 0.6 || areSynonyms(term.stem, word.stem))
}

const is = 'is|was|are|were|will be|would be'

// "The password is blue falcon": the words on the other side of "is", or after a colon.
export function valueIn({ text, first, last }: TopicLine): string | undefined {
  if (!first || !last) return undefined
  const after = text.slice(last.end)
  const stated = new RegExp(
    String.raw`^[^.!?;,]{0,30}?(?:\b(?:${is}|called|named|equals|means|costs?|reads?|says?)\b|[:=]|\s[-–]\s)\s*(?:called |named )?([^.!?;\n]{1,80})`,
    'i',
  ).exec(after)
  if (stated?.[1]) return boundary(stated[1])
  const before = new RegExp(
    String.raw`([^.!?;,\n]{1,60}?)\s+\b(?:${is})\b\s+(?:the |our |my |his |her |its |their |a |an )?$`,
    'i',
  ).exec(text.slice(0, first.start))
  const value = before?.[1]?.trim().replace(/^(?:and|so|but|well|now)\s+/i, '')
  return value && !/^(?:this|that|it|he|she|there|here|what|who)\b/i.test(value) ? value : undefined
}

function boundary(value: string): string {
  const [cut = ''] = value.split(
    /,|(?<!\s)\s+(?:and (?:then|i|we|he|she|it|they|my|you|this|the|there)|but|because|which|that is|so|who)\s+/i,
  )
  return cut.split(/\s+/).slice(0, 9).join(' ')
}
