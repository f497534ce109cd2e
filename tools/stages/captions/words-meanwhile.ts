import type { Evidence } from '../../../src/core/evidence.ts'
import { type Span, touches } from '../../../src/core/time.ts'

// What is said and read during a clip.
export function wordsMeanwhile(rows: readonly Evidence[]): (clip: { span: Span }) => Evidence[] {
  const wordRows = rows.filter(({ track }) => track === 'speech' || track === 'text')
  return ({ span }) => wordRows.filter(row => touches(row.span, span))
}
