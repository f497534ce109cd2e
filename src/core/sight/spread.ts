import { type Span, touches } from '../time.ts'
import { type Still, undecoded, type VideoIndex } from '../video.ts'

type Seen = Pick<VideoIndex, 'stills' | 'coverage'>

// Kept frames of a span, spread evenly over its shots: one of each where there are more shots than frames asked for, more of the long
// ones where there are fewer. What could not be decoded has none.
export function spreadStills(index: Seen, span: Span, count: number): Still[] {
  const shots = shotsIn(index, span)
  const chosen =
    shots.length >= count
      ? evenly(shots, count).flatMap(stills => sharpest(stills))
      : shares(shots.map(lengthOf), count).flatMap((share, at) => evenly(shots[at] ?? [], share))
  return [...new Set(chosen)].sort((a, b) => a.time - b.time)
}

// The kept frames of the span, shot by shot.
function shotsIn({ stills, coverage }: Seen, span: Span): Still[][] {
  const lost = undecoded(coverage, 'picture', span)
  const shots = new Map<number, Still[]>()
  for (const still of stills) {
    if (!touches({ start: still.time, end: still.time }, span)) continue
    if (lost.some(gap => still.time >= gap.start && still.time < gap.end)) continue
    shots.set(still.shot, [...(shots.get(still.shot) ?? []), still])
  }
  return [...shots.values()]
}

function sharpest(stills: readonly Still[]): Still[] {
  const [first] = [...stills].sort((a, b) => (b.sharpness ?? 0) - (a.sharpness ?? 0))
  return first ? [first] : []
}

function lengthOf(stills: readonly Still[]): number {
  return (stills.at(-1)?.time ?? 0) - (stills[0]?.time ?? 0) + 1
}

// Whole shares of a count, each at least one, in proportion; a share goes to whom most is missing.
export function shares(weights: readonly number[], count: number): number[] {
  const given = weights.map(() => 1)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (let left = count - weights.length; left > 0 && weights.length > 0; left--) {
    const missing = weights.map((weight, i) => (weight / total) * count - (given[i] ?? 0))
    const most = missing.indexOf(Math.max(...missing))
    given[most] = (given[most] ?? 0) + 1
  }
  return given
}

function evenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  return Array.from({ length: count }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / count)]!)
}
