import type { Track } from '../../../src/core/evidence.ts'
import type { Asked } from '../../../src/text/question/asked.ts'

// Where what comes before, after or meanwhile is looked for.
export function targetTracks(asked: Asked): Track[] {
  if (asked.tracks.length > 0) return asked.tracks
  return asked.unit === 'slide' ? ['text'] : asked.unit === 'sound' ? ['sound'] : ['speech', 'text', 'sound', 'picture']
}
