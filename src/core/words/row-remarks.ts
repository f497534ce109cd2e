import type { Track } from '../evidence.ts'
import { type Coverage, type Hit, isIndexed, type TrackCoverage } from '../video.ts'
import { trackNames } from './track-names.ts'

// What "find" and "read" say beside their rows, alike to our own agent and to a host.

// What they list: every track but the pictures themselves and what is made of other rows.
type RowTrack = Exclude<Track, 'picture' | 'shot' | 'summary' | 'claim'>
const isRowTrack = (track: Track): track is RowTrack => !['picture', 'shot', 'summary', 'claim'].includes(track)
export const rowTracks = [...new Set<Track>(['speech', 'text', 'sound', ...trackNames])].filter(isRowTrack)

// "2 with all the words, 1 with some of them".
export function hitCounts(hits: readonly Pick<Hit, 'terms' | 'coverage'>[]): string {
  const whole = hits.filter(({ coverage = 0 }) => coverage > 0.99).length
  const some = hits.filter(({ terms, coverage = 0 }) => terms.length > 0 && coverage <= 0.99).length
  const near = hits.length - whole - some
  return [
    ...(whole > 0 ? [`${whole} with all the words`] : []),
    ...(some > 0 ? [`${some} with some of them`] : []),
    ...(near > 0 ? [`${near} with none, only near in meaning or picture`] : []),
  ].join(', ')
}

// The tracks of which no row means nothing: "sound (the file has none)".
export function unindexedTracks(
  { speech, text, sound, picture, caption }: Coverage,
  tracks: readonly Track[] = rowTracks,
): string[] {
  return Object.entries({ speech, text, sound, picture, caption }).flatMap(([track, coverage]) =>
    coverage && tracks.includes(track as Track) && !isIndexed(coverage) ? [trackState(track, coverage.state)] : [],
  )
}

export function trackState(track: string, state: TrackCoverage['state']): string {
  const why = { absent: 'the file has none', off: 'switched off' } as const
  return `${track} (${state === 'absent' || state === 'off' ? why[state] : state})`
}
