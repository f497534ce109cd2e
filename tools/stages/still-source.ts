import { collectGarbage } from '../../src/core/collect-garbage.ts'
import { memoryBound } from '../../src/core/memory-bound.ts'
import type { Shot, Still } from '../../src/core/video.ts'
import type { Journal } from './journal.ts'
import type { StillFile } from './still-file.ts'

// The stills of the decode stage, as they come and when it is over. A still is known by its place in the file: its number may still change.
export interface StillSource {
  file: StillFile
  // Whole groups of those that were kept so far, in the order of time, until the decoding is over; their shots are not final.
  early(size: number, wanted?: (still: Still) => boolean): AsyncIterable<Still[]>
  whole(): Promise<{ stills: Still[]; shots: Shot[] }>
}

// Gives every still to `work` once, in groups: first those that come early, then what is missing. What a run before this one made is
// taken from the journal. `told` hears of each group in turn. Returns what was made, by place in the file.
export async function overStills<T>(
  source: StillSource,
  { size, chooser, journal, told }: StillWork<T>,
  work: (group: Still[]) => Promise<T[]>,
): Promise<{ stills: Still[]; shots: Shot[]; made: Map<number, T> }> {
  const made = new Map<number, T>()
  const take = async (group: Still[]) => {
    const fresh = group.filter(still => journal.made(keyOf(still)) === undefined)
    const results = fresh.length > 0 ? await work(fresh) : []
    if (memoryBound()) collectGarbage() // frames hardly count in V8's own heap, so it lets them pile up
    await journal.add(fresh.map((still, at) => [keyOf(still), results[at]]))
    const all = group.map(still => journal.made(keyOf(still)) as T)
    for (const [at, still] of group.entries()) made.set(still.offset, all[at])
    await told?.(group, all)
  }
  try {
    for await (const group of source.early(size, chooser())) await take(group)
    const { stills, shots } = await source.whole()
    const chosen = stills.filter(chooser())
    const missing = chosen.filter(still => !made.has(still.offset))
    for (let at = 0; at < missing.length; at += size) await take(missing.slice(at, at + size))
    return { stills: chosen, shots, made }
  } finally {
    await journal.close()
  }
}

export interface StillWork<T> {
  size: number // of a group
  chooser: () => (still: Still) => boolean
  journal: Journal<T>
  told?(group: Still[], made: T[]): Promise<void>
}

// A still of the same place, length and time is the same one: decoding a file again gives the same bytes.
function keyOf({ offset, length, time }: Still): string {
  return `${offset} ${length} ${time}`
}
