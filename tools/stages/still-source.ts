import type { Shot, Still } from '../../src/core/video.ts'
import type { StillFile } from './still-file.ts'

// The stills of the decode stage, as they come and when it is over. A still is known by its place in the file: its number may still change.
export interface StillSource {
  file: StillFile
  // Whole groups of those that were kept so far, in the order of time, until the decoding is over; their shots are not final.
  early(size: number, wanted?: (still: Still) => boolean): AsyncIterable<Still[]>
  whole(): Promise<{ stills: Still[]; shots: Shot[] }>
}

// Gives every still to `work` once, in groups: first those that come early, then what is missing. Returns what was made, by place in the file.
export async function overStills<T>(
  source: StillSource,
  size: number,
  chooser: () => (still: Still) => boolean,
  work: (group: Still[]) => Promise<T[]>,
): Promise<{ stills: Still[]; shots: Shot[]; made: Map<number, T> }> {
  const made = new Map<number, T>()
  const take = async (group: Still[]) => {
    const results = await work(group)
    group.forEach((still, at) => {
      made.set(still.offset, results[at])
    })
  }
  for await (const group of source.early(size, chooser())) await take(group)
  const { stills, shots } = await source.whole()
  const chosen = stills.filter(chooser())
  const missing = chosen.filter(still => !made.has(still.offset))
  for (let at = 0; at < missing.length; at += size) await take(missing.slice(at, at + size))
  return { stills: chosen, shots, made }
}
