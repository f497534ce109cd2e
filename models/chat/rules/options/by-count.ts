import type { WriteBrief } from '../../../../src/core/brief.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { tokens } from '../../../../src/text/words.ts'
import { timesOf, unitsOf } from '../answers/count.ts'
import type { Scored } from './scored.ts'

// The number that comes nearest to what was counted.
export function byCount(asked: Asked, options: readonly string[], brief: WriteBrief): Scored[] | undefined {
  if (asked.kind !== 'count' && asked.kind !== 'count-units') return undefined
  const numbers = options.map(numberIn)
  if (numbers.some(number => number === undefined)) return undefined
  const times = asked.kind === 'count' ? timesOf(asked, brief) : unitsOf(asked, brief.evidence)
  if (times.length === 0) return undefined
  const rows = times.map(one => one.rows[0])
  return numbers.map(number => ({ score: 1 / (1 + Math.abs(number! - times.length)), rows }))
}

function numberIn(option: string): number | undefined {
  const words: Record<string, number> = { once: 1, twice: 2, never: 0 }
  const token = tokens(option).find(one => /^\d+$/.test(one.text) || one.text in words)
  return token && (words[token.text] ?? Number(token.text))
}
