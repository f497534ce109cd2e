import type { FileHandle } from 'node:fs/promises'
import { type Mp4Track, readTable, type Table } from './track.ts'

// What has to be known of a keyframe to read the tables from there on.
export interface KeyframePosition {
  sample: number // as they are stored, from 0
  seconds: number // when it is shown, on the file's clock
  decoded: number // its time in the order of decoding, in the track's units
  times: Run
  offsets: Run
  key: number // entry in the table of keyframes
  chunk: { number: number; first: number; run: number } // the one it lies in, that one's first sample, entry in the table of runs
}

// An entry of a table in which one entry may stand for many samples, and how many of those came before.
interface Run {
  entry: number
  used: number
}

const tolerance = 0.0005

// The keyframes shown at these seconds of the file's clock, and before them the very first sample; nothing if one is not found,
// or where the edit list leaves out frames.
export async function findKeyframes(
  file: FileHandle,
  track: Mp4Track,
  seconds: number[],
): Promise<KeyframePosition[] | undefined> {
  const { tables, samples, timescale, edit } = track
  const read = async (table: Table | undefined) => table && readTable(file, table)
  const times = (await read(tables.times)) as Buffer
  const offsets = await read(tables.offsets)
  const keys = await read(tables.keys)
  const runs = (await read(tables.runs)) as Buffer
  const places: KeyframePosition[] = []
  const time = runReader(times)
  const offset = offsets && runReader(offsets)
  const chunk = chunkReader(runs, tables.chunks.count)
  let decoded = 0
  let key = 0
  for (let sample = 0; sample < samples; sample++) {
    if (!chunk.holds(sample)) return undefined
    const isKey = keys ? key * 4 < keys.length && keys.readUInt32BE(key * 4) === sample + 1 : true
    const composed = decoded + (offset?.value() ?? 0)
    const shownTime = composed + edit.shift
    if (shownTime < 0 || composed >= edit.until) return undefined
    const wantedTime = places.length === 0 ? shownTime / timescale : seconds[places.length - 1]
    if (isKey && wantedTime !== undefined && Math.abs(shownTime / timescale - wantedTime) < tolerance)
      places.push({
        sample,
        decoded,
        key,
        seconds: shownTime / timescale,
        times: time.at(),
        offsets: offset?.at() ?? { entry: 0, used: 0 },
        chunk: chunk.at(),
      })
    if (places.length === 0) return undefined
    if (isKey) key++
    decoded += time.value()
    time.next()
    offset?.next()
  }
  return places.length === seconds.length + 1 ? places : undefined
}

// Goes through a table of (how many samples, value).
export function runReader(table: Buffer, { entry, used }: Run = { entry: 0, used: 0 }, from = 0) {
  const at = { entry, used }
  const offset = () => (at.entry - from) * 8
  const skipEmpty = () => {
    while (offset() + 8 <= table.length && table.readUInt32BE(offset()) <= at.used) {
      at.entry++
      at.used = 0
    }
  }
  skipEmpty()
  return {
    at: (): Run => ({ ...at }),
    value: () => (offset() + 8 <= table.length ? table.readInt32BE(offset() + 4) : 0),
    next: () => {
      at.used++
      skipEmpty()
    },
  }
}

// Goes through a table of (first chunk, samples in each, description).
function chunkReader(runs: Buffer, chunks: number) {
  const chunk = { number: 0, first: 0, run: 0 }
  const samples = () => (runs.length >= 12 * (chunk.run + 1) ? runs.readUInt32BE(12 * chunk.run + 4) : 0)
  return {
    at: () => ({ ...chunk }),
    holds(sample: number): boolean {
      while (sample >= chunk.first + samples()) {
        if (samples() === 0 || chunk.number + 1 >= chunks) return false
        chunk.first += samples()
        chunk.number++
        const next = 12 * (chunk.run + 1)
        if (next + 12 <= runs.length && runs.readUInt32BE(next) === chunk.number + 1) chunk.run++
      }
      return true
    },
  }
}
