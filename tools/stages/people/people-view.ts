import type { Evidence } from '../../../src/core/evidence.ts'
import { overlap, type Span, spanLength } from '../../../src/core/time.ts'

// What the registry is made of. Times are in order in each list.
export interface PeopleView {
  speech: readonly Evidence[] // the speaker is as the speakers stage or the subtitles name it
  text: readonly Evidence[]
  clips: readonly PeopleClip[] // none if nothing captions
  faces?: readonly FaceLook[] // absent where nobody looked
  cuts?: readonly number[] // where a shot begins; absent where the end of any clip may be a cut
}

// What a model that sees says of a clip.
export interface PeopleClip {
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

// How many faces or described people a span shows at once, at most and at least; undefined if nobody looked.
export function crowdRange(seen: PeopleView, span: Span): { fewest: number; most: number } | undefined {
  const counts = [
    ...(seen.faces ?? []).filter(({ time }) => time >= span.start && time <= span.end).map(({ faces }) => faces.length),
    ...clipsAt(seen, span).map(({ people }) => people.length),
  ]
  return counts.length > 0 ? { fewest: Math.min(...counts), most: Math.max(...counts) } : undefined
}

function clipsAt({ clips }: Pick<PeopleView, 'clips'>, span: Span): PeopleClip[] {
  return clips.filter(clip => clip.span.start < span.end && clip.span.end > span.start)
}

// Whether nothing speaks for two people who are seen one after the other during a span.
export function showsOne(seen: PeopleView, span: Span): boolean {
  return knownFaces(seen, span).length < 2 && (clipsAt(seen, span).length === 0 || clipsOfOne(seen, span).length > 0)
}

// The clips that show the one person of a span. A caption may stay while the picture cuts to somebody else: over a cut only a face that
// is known in each clip says that it is the same one, and clothes do not.
export function clipsOfOne(seen: PeopleView, span: Span): PeopleClip[] {
  const sliver = computeSliver(span)
  const clips = clipsAt(seen, span).filter(clip => overlap(clip.span, span) >= Math.min(sliver, spanLength(clip.span)))
  const faces = clips.map(clip => knownFaces(seen, clip.span))
  if (new Set(faces.flat()).size > 1) return []
  const isOneShot = clips.length < 2 || seen.cuts?.every(at => at < span.start + sliver || at > span.end - sliver)
  return isOneShot || faces.every(known => known.length > 0) ? clips : []
}

// What the times of a text, which are those of stills, may be off by.
function computeSliver(span: Span): number {
  return Math.min(0.5, spanLength(span) / 4)
}

// The people whose faces are known that a span shows.
export function knownFaces({ faces = [] }: PeopleView, span: Span): string[] {
  const looks = faces.filter(({ time }) => time >= span.start && time <= span.end)
  return [...new Set(looks.flatMap(({ faces }) => faces.flatMap(({ person }) => person ?? [])))]
}

export function sexesIn(clips: readonly PeopleClip[]): string[] {
  return clips.flatMap(({ people }) => people.flatMap(({ looks }) => readSex(looks) ?? []))
}

function readSex(looks: string): string | undefined {
  const match = /\b(?:(woman|girl|lady|female)|man|boy|guy|gentleman|male)\b/i.exec(looks)
  return match ? (match[1] ? 'woman' : 'man') : undefined
}
