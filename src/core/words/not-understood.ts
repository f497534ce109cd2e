import { gapsBetween, mergeSpans, overlap, type Span, spanLength } from '../time.ts'

const maxGap = 1.5 // seconds of voice without a line: recognisers place the ends of lines by a second or so
const minShare = 0.3 // of a voiced span that its lines cover

// Where a voice was found and no line says what it said.
export function notUnderstood(voiced: readonly Span[], lines: readonly Span[]): Span[] {
  return mergeSpans(voiced).flatMap(span => {
    const rest = gapsBetween(
      lines.filter(line => overlap(line, span) > 0),
      span,
    )
    const missing = rest.reduce((sum, gap) => sum + spanLength(gap), 0)
    return missing > (1 - minShare) * spanLength(span) ? rest : rest.filter(gap => spanLength(gap) > maxGap)
  })
}
