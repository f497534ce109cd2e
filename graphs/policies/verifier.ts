import { CheckReply } from '../../src/core/brief.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { tokens } from '../../src/text/words.ts'
import { askModel } from '../asking/ask-model.ts'
import { checkRequest } from '../prompts/verifier.ts'
import type { Policy } from '../session.ts'
import type { Judged } from '../state.ts'

// Each sentence is tried against its rows in a fresh context; where the verifier fails or gives no verdict, the words of the
// rows must support it. What rules wrote is judged by rules.
export default {
  async judge(session, sentence, by) {
    const rows = session.ledger.rows(sentence.cites)
    // Where nobody can judge any more, the words of the rows have to bear the sentence out.
    const byWords = (why: string): Judged =>
      borneOutByWords(sentence.text, rows)
        ? { sentence: sentence.text, verdict: 'supported', reason: `${why} The words of its rows bear it out.` }
        : { sentence: sentence.text, verdict: 'unseen', reason: why }
    if (!session.meter.mayAsk()) return byWords('The budget ended before it could be checked.')
    const reply = await askModel(session, by, () =>
      checkRequest(sentence.text, rows.slice(0, Math.ceil(rows.length * session.fit.share))),
    )
    if (!reply) return byWords('It could not be checked: the verifier failed.')
    const parsed = CheckReply.safeParse(parseJsonText(reply.text))
    if (!parsed.success) return byWords('The verifier gave no usable verdict.')
    return { sentence: sentence.text, ...parsed.data, reason: parsed.data.reason.slice(0, 500) }
  },
} satisfies Policy

// Whether the words of the rows bear a sentence out, for when no model can judge it: most of its telling words and every number.
function borneOutByWords(sentence: string, rows: readonly Evidence[]): boolean {
  const terms = contentWords(sentence)
  if (terms.length === 0 || rows.length === 0) return false
  const rowTokens = tokens(rows.map(row => row.text).join('\n'))
  const numbers = terms.filter(term => /^\d+$/.test(term.text))
  return coverage(terms, rowTokens) >= 0.6 && numbers.every(number => coverage([number], rowTokens) >= 0.6)
}
