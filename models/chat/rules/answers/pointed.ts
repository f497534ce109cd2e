import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { saying } from '../sentence.ts'

// A question that asks only where an earlier answer comes from: when it is, or who says it.
export function pointed({ question, evidence }: WriteBrief): Draft | undefined {
  const { about, references = [] } = question.refers ?? {}
  const reference = references.find(one => one.span)
  if (!about || !reference) return undefined
  const rows = evidence.filter(row => reference.evidence.includes(row.id))
  if (rows.length === 0) return undefined
  if (about === 'moment') return { sentences: rows.slice(0, 4).map(row => saying('', [row])), confidence: 0.85 }
  const named = rows.find(row => row.speaker)
  if (named) return { sentences: [saying(named.speaker ?? '', [named])], confidence: 0.85 }
  return {
    sentences: [
      { text: 'Who says it is not known: the index names no speaker there.', cites: [] },
      saying('', rows.slice(0, 1)),
    ],
    abstained: true,
    confidence: 0.5,
  }
}
