import { BackendError } from '../../src/core/errors.ts'
import type { Evidence, Track } from '../../src/core/evidence.ts'
import { type Span, touches } from '../../src/core/time.ts'
import type { ToolContext } from '../../src/core/tool.ts'

// The rows that the index has of a span; a track that was never made is an error, not an empty list.
export function indexedRows(
  track: Track & ('speech' | 'text' | 'sound'),
  span: Span,
  { index }: ToolContext,
): Evidence[] {
  const { state, note } = index.coverage[track]
  if (state !== 'indexed' && state !== 'partial')
    throw new BackendError(`The ${track} track of this video is ${state}${note ? `: ${note}` : ''}.`)
  return index.evidence({ tracks: [track], span }).filter(row => touches(row.span, span))
}
