import type { Evidence } from '../core/evidence.ts'
import { gapsBetween, parseTime, type Span } from '../core/time.ts'
import { type Coverage, type TrackCoverage, toldTracks, type VideoIndex } from '../core/video.ts'
import { defaultHits } from '../core/words/default-hits.ts'

// The index as if the video ended there: nothing that begins later is known, and no summary that looks beyond.
export function cutIndex<Index extends VideoIndex>(index: Index, until: number | undefined): Index {
  if (until === undefined || until >= index.coverage.duration) return index
  const { overview } = index
  const isBefore = ({ span, track }: Evidence) => (track === 'summary' ? span.end <= until : span.start < until)
  const cut = <Piece extends Span>(piece: Piece): Piece => ({ ...piece, end: Math.min(piece.end, until) })
  const cutRow = (row: Evidence): Evidence => ({ ...row, span: cut(row.span) })
  const ended = <Piece extends { span: Span }>(pieces: Piece[] = []) => pieces.filter(({ span }) => span.end <= until)
  const { whole, threads, speaking, ...told } = overview
  const stills = index.stills.filter(({ time }) => time < until)
  const evidence: VideoIndex['evidence'] = filter => index.evidence(filter).filter(isBefore).map(cutRow)
  return {
    ...index,
    video: { ...index.video, duration: until },
    coverage: cutCoverage(index.coverage, until, track =>
      track === 'picture' ? stills.length : evidence({ tracks: [track] }).length,
    ),
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
    stills,
    evidence,
    byId(id) {
      const row = index.byId(id)
      return row && isBefore(row) ? cutRow(row) : undefined
    },
    async search(query) {
      const { k = defaultHits, before = until } = query
      const hidden = index
        .evidence({ tracks: ['summary'] })
        .filter(row => row.span.start < until && !isBefore(row)).length
      const hits = await index.search({ ...query, k: k + hidden, before: Math.min(before, until) })
      const knownHits = hits.filter(hit => isBefore(hit.evidence)).slice(0, k)
      return knownHits.map(hit => ({ ...hit, evidence: cutRow(hit.evidence) }))
    },
  }
}

const trackNames = ['picture', 'speech', 'sound', 'text'] as const
type CoveredTrack = (typeof trackNames)[number] | 'caption'

function cutCoverage(coverage: Coverage, until: number, countRows: (track: CoveredTrack) => number): Coverage {
  const tracks = toldTracks(coverage, trackNames).map(({ name, track }) => [
    name,
    cutTrack({ ...track, items: countRows(name) }, until),
  ])
  const notes = coverage.notes.filter(note => !isLater(note, until))
  return { ...coverage, ...Object.fromEntries(tracks), duration: until, notes }
}

// A gap behind the cut makes nothing partial, and what the note says of it is left out.
function cutTrack(track: TrackCoverage, until: number): TrackCoverage {
  const { state, note, notUnderstood, unkept, ...rest } = track
  const cut = (spans: readonly Span[] = []) =>
    spans.filter(({ start }) => start < until).map(({ start, end }) => ({ start, end: Math.min(end, until) }))
  const spans = cut(track.spans)
  const lost = Object.fromEntries(
    Object.entries({ notUnderstood: cut(notUnderstood), unkept: cut(unkept) }).filter(([, gaps]) => gaps.length > 0),
  )
  const clauses = note?.split('; ') ?? []
  const earlier = clauses.filter(clause => !isLater(clause, until))
  const onlyLater = clauses.length > 0 && earlier.length === 0
  const isWhole = state === 'partial' && onlyLater && gapsBetween(spans, { start: 0, end: until }).length === 0
  return {
    ...rest,
    ...lost,
    state: isWhole ? 'indexed' : state,
    spans,
    ...(earlier.length > 0 && { note: earlier.join('; ') }),
  }
}

// True if a note names times and all of them are later: "1:30-2:00 could not be decoded".
function isLater(note: string, until: number): boolean {
  const times = note.match(/\b(?:\d+:)?\d+:\d\d\b/g) ?? []
  return times.length > 0 && times.every(time => (parseTime(time) ?? 0) >= Math.floor(until))
}
