import type { WriteBrief } from '../../../../src/core/brief.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { byPlace, place } from '../answers/order.ts'
import type { Scored } from './scored.ts'

// "Which comes first?" with one thing an option.
export function byFirst(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  const match = /\b(?:which|what|who)\b.*\b(first|earliest|last|latest)\b/i.exec(asked.text)
  if (!match || asked.nth === undefined) return undefined
  if (asked.anchor || asked.unit === 'slide' || asked.topic.terms.length > 3) return undefined
  const placed = place(options, asked, brief.evidence)
  const sorted = placed.filter(one => one.row !== undefined).sort(byPlace)
  if (sorted.length < 2) return undefined
  if (/last|latest/i.test(match[1])) sorted.reverse()
  return placed.map(one => ({
    score: one.row ? 1 - sorted.indexOf(one) / sorted.length : 0,
    rows: one.row ? [one.row] : [],
  }))
}
