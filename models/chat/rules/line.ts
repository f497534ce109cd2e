import type { Topic } from '../../../src/text/question/topic.ts'
import { wordSimilarity } from '../../../src/text/word-similarity.ts'
import { type Token, tokens } from '../../../src/text/words.ts'
import { areSynonyms } from './synonyms.ts'

// A line as the pickers see it: its words, and which of them are those of the question.
export interface Line {
  text: string
  words: Token[]
  at: number[] // places of the question's words, in order
  speaker?: string
}

export function lineOf(text: string, topic: Topic, speaker?: string): Line {
  const words = tokens(text)
  const at = words.flatMap((word, i) => (isTerm(word, topic) ? [i] : []))
  return { text, words, at, speaker }
}

function isTerm(word: Token, topic: Topic): boolean {
  return topic.terms.some(term => wordSimilarity(term, word) >= 0.6 || areSynonyms(term.stem, word.stem))
}
