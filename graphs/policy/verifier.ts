import type { Sentence } from '../../src/core/agent.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { coverage } from '../../src/text/alike.ts'
import { tokens } from '../../src/text/words.ts'
import { telling } from './terms.ts'

// Whether the words of the rows bear a sentence out, for when no model can judge it: most of its telling words and every number.
export function bornOutByWords(sentence: string, rows: readonly Evidence[]): boolean {
  const terms = telling(sentence)
  if (terms.length === 0 || rows.length === 0) return false
  const said = tokens(rows.map(row => row.text).join('\n'))
  const numbers = terms.filter(term => /^\d+$/.test(term.text))
  return coverage(terms, said) >= 0.6 && numbers.every(number => coverage([number], said) >= 0.6)
}

// What of a draft may stand in the answer.
export function keeps(sentence: Sentence, verifierOn: boolean): boolean {
  return sentence.verdict === 'supported' || (!verifierOn && sentence.verdict === 'unseen' && sentence.cites.length > 0)
}
