import type { Evidence, Track } from '../../../src/core/evidence.ts'
import { type Span, touches } from '../../../src/core/time.ts'
import type { Hit, SearchQuery, VideoIndex } from '../../../src/core/video.ts'

const usualHits = 10
const oracleTracks: Track[] = ['speech', 'sound', 'text', 'picture', 'shot']

// Nothing but the gold intervals can be found: what is left to do is to read, hear and say what is there.
export function onlyGold(index: VideoIndex, clues: readonly Span[]): VideoIndex {
  const isGold = (span: Span) => clues.some(clue => touches(span, clue))
  const { overview } = index
  return {
    ...index,
    overview: {
      ...overview,
      chapters: overview.chapters.filter(chapter => isGold(chapter.span)),
      ...(overview.scenes && { scenes: overview.scenes.filter(scene => isGold(scene.span)), whole: [], threads: [] }),
    },
    evidence: filter => index.evidence(filter).filter(row => isGold(row.span)),
    async search(query) {
      const hits = await index.search({ ...query, k: 200, nth: undefined })
      const gold = hits.filter(hit => isGold(hit.evidence.span))
      if (query.nth !== undefined) return inTime(gold).slice(query.nth - 1, query.nth)
      return gold.slice(0, query.k ?? usualHits)
    },
  }
}

// Every search finds the rows at the gold intervals first, whatever was searched for; what it would have found comes after.
export function goldFirst(index: VideoIndex, clues: readonly Span[]): VideoIndex {
  return {
    ...index,
    async search(query) {
      const hits = await index.search(query)
      if (query.nth !== undefined || query.frame !== undefined) return hits
      const gold = goldRows(index, clues, query)
      const hitsById = new Map(hits.map(hit => [hit.evidence.id, hit]))
      const first = gold.map(
        (row): Hit => ({ terms: [], ...hitsById.get(row.id), evidence: row, score: 1, lists: ['gold'] }),
      )
      const ids = new Set(gold.map(row => row.id))
      const rest = hits.filter(hit => !ids.has(hit.evidence.id))
      return [...first, ...rest].slice(0, Math.max(hits.length, query.k ?? usualHits))
    },
  }
}

function goldRows(index: VideoIndex, clues: readonly Span[], { tracks, span, after, before }: SearchQuery): Evidence[] {
  const rows = clues.flatMap(clue => index.evidence({ tracks: tracks ?? oracleTracks, span: clue }))
  const fits = (row: Evidence) =>
    (span === undefined || touches(row.span, span)) &&
    (after === undefined || row.span.start >= after) &&
    (before === undefined || row.span.end <= before)
  return [...new Map(rows.filter(fits).map(row => [row.id, row])).values()]
}

function inTime(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => a.evidence.span.start - b.evidence.span.start)
}
