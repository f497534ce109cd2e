import type { Evidence } from '../core/evidence.ts'
import type { Span } from '../core/time.ts'
import type { Coverage, VideoIndex } from '../core/video.ts'

// The index as if the video ended there: nothing that begins later is known, and no summary that looks beyond.
export function cutIndex<Index extends VideoIndex>(index: Index, until: number | undefined): Index {
  if (until === undefined || until >= index.coverage.duration) return index
  const { overview, coverage } = index
  const isBefore = ({ span, track }: Evidence) => (track === 'summary' ? span.end <= until : span.start < until)
  const cut = <Piece extends Span>(piece: Piece): Piece => ({ ...piece, end: Math.min(piece.end, until) })
  const cutRow = (row: Evidence): Evidence => ({ ...row, span: cut(row.span) })
  const ended = <Piece extends { span: Span }>(pieces: Piece[] = []) => pieces.filter(({ span }) => span.end <= until)
  const { whole, threads, speaking, ...told } = overview
  return {
    ...index,
    video: { ...index.video, duration: until },
    coverage: cutCoverage(coverage, until),
    overview: {
      ...told,
      duration: until,
      shots: index.shots.filter(({ start }) => start < until).length,
      speakers: [],
      chapters: ended(overview.chapters),
      scenes: ended(overview.scenes),
    },
    people: undefined,
    shots: index.shots.filter(({ start }) => start < until).map(cut),
    stills: index.stills.filter(({ time }) => time < until),
    evidence: filter => index.evidence(filter).filter(isBefore).map(cutRow),
    byId(id) {
      const row = index.byId(id)
      return row && isBefore(row) ? cutRow(row) : undefined
    },
    async search(query) {
      const hits = await index.search(query)
      return hits.filter(hit => isBefore(hit.evidence)).map(hit => ({ ...hit, evidence: cutRow(hit.evidence) }))
    },
  }
}

function cutCoverage(coverage: Coverage, until: number): Coverage {
  return { ...coverage, duration: Math.min(coverage.duration, until) }
}
