import { mergeSpans, spanLength } from '../../core/time.ts'
import type { Coverage, TrackCoverage } from '../../core/video.ts'
import { oneLine } from '../sanitise.ts'

const tracks = ['picture', 'speech', 'text', 'sound'] as const

// "Looked at: picture 100 %, speech 92 %, text off, sound absent", and why, where it is not all.
export function coverageLines(coverage: Coverage): string[] {
  const parts = tracks.map(track => `${track} ${share(coverage[track], coverage.duration)}`)
  const reasons = tracks.flatMap(track => {
    const { state, note } = coverage[track]
    return note && (state === 'partial' || state === 'failed') ? [`${track}: ${oneLine(note)}`] : []
  })
  const notes = coverage.notes.map(oneLine).filter(note => !reasons.includes(note))
  return [
    `Looked at: ${parts.join(', ')}`,
    ...reasons.map(reason => `Note: ${reason}`),
    ...notes.map(note => `Note: ${note}`),
  ]
}

function share(track: TrackCoverage, duration: number): string {
  if (track.state !== 'indexed' && track.state !== 'partial') return track.state
  if (duration <= 0) return track.state
  const seen = mergeSpans(track.spans).reduce((sum, span) => sum + spanLength(span), 0) / duration
  // Rounded down, so that 100 % is all of it.
  return `${Math.min(100, Math.floor(seen * 100 + 0.05))} %`
}
