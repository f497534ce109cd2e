import { contentWords } from '../../../src/text/terms.ts'
import { coverage } from '../../../src/text/word-similarity.ts'
import { fenced } from './request-text.ts'
import type { Truth } from './truth.ts'

type Verdict = 'supported' | 'contradicted' | 'unseen'

// A verifier that is honest knows what is true; one that is bound to rows finds only what their words hold.
export function verdictOf(words: string, truths: readonly Truth[], verifier: 'honest' | 'bound to rows'): Verdict {
  const [one, other] = [fenced(words, 'first answer')[0], fenced(words, 'second answer')[0]]
  if (one !== undefined && other !== undefined) return plain(one) === plain(other) ? 'supported' : 'contradicted'
  const claim = fenced(words, 'sentence')[0] ?? fenced(words, 'claim')[0] ?? ''
  const rows = fenced(words, 'evidence').join('\n')
  const isHeld = coverage(contentWords(claim), rows) >= 0.6
  if (verifier === 'bound to rows') return isHeld ? 'supported' : 'unseen'
  const about = truths.find(truth => claim.includes(truth.question))
  const [, option = ''] = /the answer is: (.*)$/s.exec(claim) ?? []
  if (about && option)
    return plain(option) === plain(about.options?.[about.right ?? -1] ?? '') ? 'supported' : 'contradicted'
  if (truths.some(truth => plain(truth.answer) === plain(claim))) return 'supported'
  return isHeld ? 'supported' : 'unseen'
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\[[\d:.-]+\]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
