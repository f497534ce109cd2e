import type { WriteBrief } from '../../../../src/core/brief.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { splitItems } from '../../../../src/text/question/items.ts'
import { byPlace, place } from '../answers/order.ts'
import type { Scored } from './scored.ts'

// "A -> B -> C": the option whose things come in the order they are named.
export function bySequence(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const sequences = options.map(splitItems)
  const named = asked.kind === 'order' || /\border\b|\bsequence\b/i.test(asked.text)
  if (!named || sequences.some(items => items.length < 2)) return undefined
  const scored = sequences.map(items => {
    const placed = place(items, asked, brief.evidence)
    let right = 0
    let pairs = 0
    for (const [i, one] of placed.entries())
      for (const other of placed.slice(i + 1)) {
        pairs++
        if (!one.row || !other.row) continue
        const order = byPlace(one, other)
        right += order < 0 ? 1 : order === 0 ? 0.5 : 0
      }
    return { score: pairs === 0 ? 0 : right / pairs, rows: placed.flatMap(one => (one.row ? [one.row] : [])) }
  })
  return scored.some(one => one.rows.length > 1) ? scored : undefined
}
