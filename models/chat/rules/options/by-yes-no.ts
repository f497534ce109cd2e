import type { Draft } from '../../../../src/core/brief.ts'
import type { Scored } from './scored.ts'

// Yes or no, as the answer without options says.
export function byYesNo(options: readonly string[], draft: Draft): Scored[] | undefined {
  if (options.length > 3) return undefined
  if (!options.some(option => /^yes\b/i.test(option)) || !options.some(option => /^no\b/i.test(option)))
    return undefined
  const says = draft.abstained || /^No\b/.test(draft.sentences[0]?.text ?? '') ? /^no\b/i : /^yes\b/i
  return options.map(option => ({ score: says.test(option) ? (draft.confidence ?? 0.5) : 0, rows: [] }))
}
