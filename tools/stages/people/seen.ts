import type { Evidence } from '../../../src/core/evidence.ts'
import type { Span } from '../../../src/core/time.ts'

// What the registry is made of. Times are in order in each list.
export interface Seen {
  speech: readonly Evidence[] // the speaker is as the speakers stage or the subtitles name it
  text: readonly Evidence[]
  clips: readonly Clip[] // none where nothing captions
  faces?: readonly FaceLook[] // absent where nobody looked
}

// What a model that sees says of a clip.
export interface Clip {
  id: string // of its row
  span: Span
  people: readonly { looks: string }[]
  objects: readonly string[]
}

// The faces of one frame.
export interface FaceLook {
  time: number
  faces: readonly { person?: string }[]
}

// How many faces or described people a span shows at once, at most and at least; undefined where nobody looked.
export function crowdOf(seen: Seen, span: Span): { fewest: number; most: number } | undefined {
  const counts = [
    ...(seen.faces ?? []).filter(({ time }) => time >= span.start && time <= span.end).map(({ faces }) => faces.length),
    ...clipsAt(seen, span).map(({ people }) => people.length),
  ]
  return counts.length > 0 ? { fewest: Math.min(...counts), most: Math.max(...counts) } : undefined
}

export function clipsAt({ clips }: Pick<Seen, 'clips'>, span: Span): Clip[] {
  return clips.filter(clip => clip.span.start < span.end && clip.span.end > span.start)
}
