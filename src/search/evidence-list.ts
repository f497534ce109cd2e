import { byTime, type Evidence, type Track } from '../core/evidence.ts'
import { type Span, touches } from '../core/time.ts'

export interface EvidenceList {
  where(filter?: { tracks?: readonly Track[]; span?: Span }): Evidence[] // in time order
  byId(id: string): Evidence | undefined
}

// All rows of a video; those of a track and a span are found without looking at the others.
export function evidenceList(evidence: readonly Evidence[]): EvidenceList {
  const ids = new Map<string, Evidence>()
  for (const row of evidence) ids.set(row.id, row)
  const byTrack = new Map<Track, Evidence[]>()
  for (const row of ids.values()) {
    const rows = byTrack.get(row.track)
    if (rows) rows.push(row)
    else byTrack.set(row.track, [row])
  }
  const lists = new Map([...byTrack].map(([track, rows]) => [track, timeList(rows)]))
  const all = timeList([...ids.values()])
  return {
    byId: id => ids.get(id),
    where({ tracks, span } = {}) {
      if (!tracks) return all.touching(span)
      const [first = [], ...others] = [...new Set(tracks)].map(track => lists.get(track)?.touching(span) ?? [])
      return others.length === 0 ? first : [first, ...others].flat().sort(inOrder)
    },
  }
}

function timeList(unsorted: Evidence[]) {
  const rows = unsorted.sort(inOrder)
  // The latest end among the rows up to each: it only grows, so the first row that can reach a span is found by halving.
  const reach = new Float64Array(rows.length)
  for (let at = 0, latest = 0; at < rows.length; at++) {
    latest = Math.max(latest, rows[at]!.span.end)
    reach[at] = latest
  }
  return {
    touching(span: Span | undefined): Evidence[] {
      if (!span) return [...rows]
      const from = firstWhere(rows.length, at => reach[at]! >= span.start)
      const to = firstWhere(rows.length, at => rows[at]!.span.start > span.end)
      return rows.slice(from, to).filter(row => touches(row.span, span))
    },
  }
}

function inOrder(a: Evidence, b: Evidence): number {
  return byTime(a, b) || (a.id < b.id ? -1 : 1)
}

// The first index for which `holds` is true, given that it stays true from there on.
export function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
