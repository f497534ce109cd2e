import type { Draft, WriteBrief } from '../../../../src/core/brief.ts'
import { byTime } from '../../../../src/core/evidence.ts'
import { touches } from '../../../../src/core/time.ts'
import type { Asked } from '../../../../src/text/question/asked.ts'
import { isNotable } from '../../../../src/text/sounds.ts'
import { saying } from '../sentence.ts'
import { absent } from './absent.ts'
import { summariseRows } from './summary.ts'

// What there is at a moment or within a stated span.
export function atTime(asked: Asked, brief: WriteBrief): Draft {
  const span = asked.span ?? { start: 0, end: brief.duration }
  const usable = brief.evidence
    .filter(row => isNotable(row, asked.text))
    .filter(row => row.track !== 'summary' && row.track !== 'claim' && row.track !== 'shot')
    .filter(row => asked.tracks.length === 0 || asked.tracks.includes(row.track))
  const there = usable.filter(row => touches(row.span, span)).sort(byTime)
  if (there.length > 6) return summariseRows(there, 6)
  if (there.length > 0) return { sentences: there.map(row => saying('', [row])), confidence: 0.75 }
  const near = [...usable]
    .sort((a, b) => away(a.span.start, span) - away(b.span.start, span))
    .slice(0, 2)
    .sort(byTime)
  if (near.length === 0) return absent(asked, brief, 'that moment')
  return {
    sentences: [
      { text: 'Nothing is said, shown as text or heard just then, as far as it is indexed.', cites: [] },
      ...near.map(row => saying('The nearest', [row])),
    ],
    abstained: true,
    confidence: 0.4,
  }
}

function away(time: number, span: { start: number; end: number }): number {
  return time < span.start ? span.start - time : Math.max(0, time - span.end)
}
