import type { FileHandle } from 'node:fs/promises'
import { bytesAt, concatWords, longWord, type Mp4Box, makeBox, packWords } from './boxes.ts'
import { type KeyframePosition, runReader } from './keyframe-positions.ts'
import { type Mp4Track, readTable } from './track.ts'

interface Extract {
  head: Buffer // of a file of its own: put before the bytes from `start` to `end` of the whole one
  start: number
  end: number
}

const maxReach = 2 ** 31 - 1 // offsets inside an extract have 32 bits

// A file of only this track, from a keyframe on to before the sample `to`, with the times of the whole file.
// It is a fragmented one, since a fragment may say at which time it begins.
export async function extract(
  file: FileHandle,
  track: Mp4Track,
  from: KeyframePosition,
  to: number,
): Promise<Extract | undefined> {
  const samples = await readSamples(file, track, from, Math.min(to, track.samples))
  if (samples.length === 0) return undefined
  const start = samples.reduce((min, { at }) => Math.min(min, at), samples[0]!.at)
  const end = samples.reduce((max, { at, size }) => Math.max(max, at + size), 0)
  if (end - start > maxReach || end > (await file.stat()).size) return undefined
  const before = Buffer.concat([makeBox('ftyp', Buffer.from('iso5\0\0\0\0iso5', 'latin1')), await movie(file, track)])
  const media = Buffer.concat([concatWords(1), Buffer.from('mdat', 'latin1'), longWord(end - start + 16)])
  const length = before.length + fragment(track, from, samples, start, 0).length + media.length
  return { head: Buffer.concat([before, fragment(track, from, samples, start, length), media]), start, end }
}

interface Sample {
  at: number // in the whole file
  size: number
  lasts: number
  offset: number // from the time it is decoded at to the one it is shown at
  isKey: boolean
}

async function readSamples(file: FileHandle, track: Mp4Track, from: KeyframePosition, to: number): Promise<Sample[]> {
  const { tables, size } = track
  const entries = to - from.sample + 2
  const first = from.chunk.first
  const sizes = tables.sizes && (await readTable(file, tables.sizes, first, to - first))
  const time = runReader(await readTable(file, tables.times, from.times.entry, entries), from.times, from.times.entry)
  const offset =
    tables.offsets &&
    runReader(await readTable(file, tables.offsets, from.offsets.entry, entries), from.offsets, from.offsets.entry)
  const keys = tables.keys && (await readTable(file, tables.keys, from.key, entries))
  const runs = await readTable(file, tables.runs, from.chunk.run, entries)
  const chunks = await readTable(file, tables.chunks, from.chunk.number, entries)
  const chunkAt = (chunk: number) =>
    tables.chunks.entry === 8 ? Number(chunks.readBigUInt64BE(chunk * 8)) : chunks.readUInt32BE(chunk * 4)

  const samples: Sample[] = []
  let key = 0
  for (let sample = first, chunk = 0, run = 0; sample < to; chunk++) {
    const next = 12 * (run + 1)
    if (next + 12 <= runs.length && runs.readUInt32BE(next) === from.chunk.number + chunk + 1) run++
    const inChunk = runs.readUInt32BE(12 * run + 4)
    let at = chunkAt(chunk)
    for (let i = 0; i < inChunk && sample < to; i++, sample++) {
      const bytes = size ?? (sizes as Buffer).readUInt32BE(4 * (sample - first))
      if (sample >= from.sample) {
        const isKey = keys ? key * 4 < keys.length && keys.readUInt32BE(key * 4) === sample + 1 : true
        if (isKey) key++
        samples.push({ at, size: bytes, lasts: time.value(), offset: offset?.value() ?? 0, isKey })
        time.next()
        offset?.next()
      }
      at += bytes
    }
  }
  return samples
}

// What describes the track, as it is in the whole file, with empty tables.
async function movie(file: FileHandle, { movieHead, boxes, id }: Mp4Track): Promise<Buffer> {
  const whole = async (box: Mp4Box | undefined) =>
    box ? bytesAt(file, box.start, box.end - box.start) : Buffer.alloc(0)
  const itself = makeBox('dinf', makeBox('dref', concatWords(0, 1), makeBox('url ', concatWords(1))))
  const tables = makeBox(
    'stbl',
    await whole(boxes.descriptions),
    makeBox('stts', concatWords(0, 0)),
    makeBox('stsc', concatWords(0, 0)),
    makeBox('stsz', concatWords(0, 0, 0)),
    makeBox('stco', concatWords(0, 0)),
  )
  const information = makeBox('minf', await whole(boxes.pictureHead), itself, tables)
  const media = makeBox('mdia', await whole(boxes.mediaHead), await whole(boxes.handler), information)
  return makeBox(
    'moov',
    await whole(movieHead),
    makeBox('trak', await whole(boxes.head), await whole(boxes.edits), media),
    makeBox('mvex', makeBox('trex', concatWords(0, id, 1, 0, 0, 0))),
  )
}

const present = { where: 0x1, lasts: 0x100, size: 0x200, kind: 0x400, offset: 0x800 }
const kinds = { key: 0x02000000, other: 0x01010000 }

// The tables of the samples, one for each row of samples that lie beside each other. The first byte of them is to lie at `base`.
function fragment({ id }: Mp4Track, from: KeyframePosition, samples: Sample[], start: number, base: number): Buffer {
  const rows: Sample[][] = []
  for (const [i, sample] of samples.entries()) {
    const before = samples[i - 1]
    if (before && before.at + before.size === sample.at) rows[rows.length - 1]!.push(sample)
    else rows.push([sample])
  }
  const flags = Object.values(present).reduce((all, flag) => all | flag, 0)
  const tables = rows.map(row =>
    makeBox(
      'trun',
      concatWords(0x01000000 | flags, row.length, row[0]!.at - start),
      packWords(row.flatMap(one => [one.lasts, one.size, one.isKey ? kinds.key : kinds.other, one.offset])),
    ),
  )
  return makeBox(
    'moof',
    makeBox('mfhd', concatWords(0, 1)),
    makeBox(
      'traf',
      makeBox('tfhd', concatWords(1, id), longWord(base)),
      makeBox('tfdt', concatWords(0x01000000), longWord(from.decoded)),
      Buffer.concat(tables),
    ),
  )
}
