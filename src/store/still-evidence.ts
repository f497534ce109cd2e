import { type Evidence, stamp } from '../core/evidence.ts'
import { formatTime } from '../core/time.ts'
import type { Shot, Still, Video } from '../core/video.ts'

export interface StillEvidence {
  rows(): Evidence[] // one for each still
  byId(id: string): Evidence | undefined
}

// The kept frames as rows that can be cited. The text says only when: what a picture shows is for those who look at it,
// and to write the query here would make every search prove itself.
export function stillEvidence(
  { video, stills, shots }: { video: Video; stills: readonly Still[]; shots: readonly Shot[] },
  by: string,
): StillEvidence {
  let made: Evidence[] | undefined
  let ids: Map<string, Evidence> | undefined

  const rows = () => {
    made ??= stills.map((still, at) => {
      const next = stills[at + 1]?.time ?? video.duration
      const end = Math.max(still.time, Math.min(next, shots[still.shot]?.end ?? next))
      const text = `picture at ${formatTime(still.time)}`
      return stamp({ span: { start: still.time, end }, track: 'picture', text, frame: still.time }, video.id, by)
    })
    return made
  }

  return {
    rows,
    byId(id) {
      ids ??= new Map(rows().map(row => [row.id, row]))
      return ids.get(id)
    },
  }
}
