import type { ToolCall } from '../../src/core/chat.ts'
import type { Evidence, Track } from '../../src/core/evidence.ts'
import type { Route } from './routing.ts'
import { keyWords } from './terms.ts'

const apart = 10 // seconds

// Rows that do not stand or fall together: of another track, or at another moment.
export function independent(rows: readonly Evidence[]): Evidence[] {
  const kept: Evidence[] = []
  for (const row of rows) if (kept.every(other => areIndependent(row, other))) kept.push(row)
  return kept
}

export function areIndependent(a: Evidence, b: Evidence): boolean {
  return a.track !== b.track || a.span.start - b.span.end >= apart || b.span.start - a.span.end >= apart
}

// Where one moment is asked for, a second moment would be wrong.
export function needsSecondSource(route: Route | '', rows: readonly Evidence[], wanted: number): boolean {
  const one = route === 'when' || route === 'count' || route === 'order' || route === 'summary'
  return !one && rows.length > 0 && independent(rows).length < wanted
}

// The search for a second source: the words of the claim, in the other tracks and elsewhere.
export function secondSourceCalls(claim: string, rows: readonly Evidence[], tools: readonly string[]): ToolCall[] {
  if (!tools.includes('search')) return []
  const tracks = (['speech', 'text', 'sound', 'picture'] as Track[]).filter(track =>
    rows.every(row => row.track !== track),
  )
  const query = keyWords(`${claim} ${rows[0]?.text.slice(0, 120) ?? ''}`)
  return [{ id: 'second-source', name: 'search', arguments: { query, tracks, k: 4 } }]
}
