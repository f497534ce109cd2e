import { type Evidence, stamp } from '../core/evidence.ts'
import { formatTime, type Span } from '../core/time.ts'
import type { Shot, Still, Video } from '../core/video.ts'
import { firstWhere } from './evidence-list.ts'

export interface StillEvidence {
  span(index: number): Span // until the next still or the end of the shot
  row(index: number): Evidence
  byId(id: string): Evidence | undefined
  at(time: number): number | undefined // the still that stands for this second
}

// The kept frames as rows that can be cited. The text says only when: what a picture shows is for those who look at it,
// and a row that repeated the query would make every search prove itself.
export function stillEvidence(
  { video, stills, shots }: { video: Video; stills: readonly Still[]; shots: readonly Shot[] },
  by: string,
): StillEvidence {
  const rows: (Evidence | undefined)[] = []
  let ids: Map<string, Evidence> | undefined

  const span = (index: number) => {
    const { time, shot } = stills[index]!
    const next = stills[index + 1]?.time ?? video.duration
    return { start: time, end: Math.max(time, Math.min(next, shots[shot]?.end ?? next)) }
  }

  const row = (index: number) => {
    const { time } = stills[index]!
    const finding = {
      span: span(index),
      track: 'picture' as const,
      text: `picture at ${formatTime(time)}`,
      frame: time,
    }
    rows[index] ??= stamp(finding, video.id, by)
    return rows[index]
  }

  return {
    span,
    row,
    byId(id) {
      ids ??= new Map(stills.map((_, index) => [row(index).id, row(index)]))
      return ids.get(id)
    },
    at(time) {
      if (stills.length === 0) return undefined
      const after = firstWhere(stills.length, index => stills[index]!.time > time)
      const sameShot = shots[stills[after]?.shot ?? -1]
      const last = stills[after - 1]
      // A still is never taken before its shot begins: just after a cut, the one that follows shows the same picture.
      return !last || (sameShot && sameShot.start <= time && last.time < sameShot.start) ? after : after - 1
    },
  }
}
