import type { FileHandle } from 'node:fs/promises'
import { boxAt, boxesIn, bytesAt, type Mp4Box } from './boxes.ts'

// Where the tables of one track lie in the file; none of them is kept in memory.
export interface Mp4Track {
  movieHead: Mp4Box
  boxes: {
    head: Mp4Box
    edits?: Mp4Box
    mediaHead: Mp4Box
    handler: Mp4Box
    pictureHead?: Mp4Box
    descriptions: Mp4Box
  }
  id: number
  timescale: number
  edit: { shift: number; until: number } // what it adds to every time, in the track's units, and where it ends before that
  samples: number
  size: number | undefined // where all samples have the same
  tables: { times: Table; offsets?: Table; keys?: Table; sizes?: Table; runs: Table; chunks: Table }
}

export interface Table {
  start: number
  count: number
  entry: number // bytes of one
}

// The track that ffmpeg calls by this number; nothing if the file is of a build that is better left to ffmpeg.
export async function openTrack(file: FileHandle, index: number): Promise<Mp4Track | undefined> {
  const { size } = await file.stat()
  const top = await boxesIn(file, 0, size)
  const movie = top.find(({ type }) => type === 'moov')
  if (!movie || top.some(({ type }) => type === 'moof')) return undefined
  const inMovie = await boxesIn(file, movie.content, movie.end)
  const track = inMovie.filter(({ type }) => type === 'trak')[index]
  const movieHead = inMovie.find(({ type }) => type === 'mvhd')
  if (!track || !movieHead || inMovie.some(({ type }) => type === 'mvex')) return undefined
  const find = (path: string) => boxAt(file, track, path)
  const [head, edits, mediaHead, handler] = [
    await find('tkhd'),
    await find('edts'),
    await find('mdia/mdhd'),
    await find('mdia/hdlr'),
  ]
  const [pictureHead, tables] = [await find('mdia/minf/vmhd'), await find('mdia/minf/stbl')]
  const descriptions = tables && (await boxAt(file, tables, 'stsd'))
  if (!head || !mediaHead || !handler || !tables || !descriptions) return undefined
  if ((await bytesAt(file, handler.content + 8, 4)).toString('latin1') !== 'vide') return undefined
  if ((await number(file, descriptions.content + 4)) !== 1) return undefined

  const inTables = await boxesIn(file, tables.content, tables.end)
  const table = async (type: string, entry: number, at = 4): Promise<Table | undefined> => {
    const box = inTables.find(one => one.type === type)
    if (!box) return undefined
    const start = box.content + at + 4
    const count = await number(file, box.content + at)
    return start + count * entry <= box.end ? { start, count, entry } : undefined
  }
  const sizeBox = inTables.find(({ type }) => type === 'stsz')
  if (!sizeBox) return undefined
  const oneSize = await number(file, sizeBox.content + 4)
  const samples = await number(file, sizeBox.content + 8)
  if (samples > maxSamples || samples * oneSize > size) return undefined
  const sizes = oneSize === 0 ? await table('stsz', 4, 8) : undefined
  const [times, runs] = [await table('stts', 8), await table('stsc', 12)]
  const chunks = (await table('stco', 4)) ?? (await table('co64', 8))
  if (!times || !runs || !chunks || (oneSize === 0 && !sizes)) return undefined

  const timescale = await readScale(file, mediaHead)
  const edit = edits ? await readEdit(file, edits, timescale, await readScale(file, movieHead)) : noEdit
  if (!(timescale > 0) || !edit || !Number.isFinite(edit.shift)) return undefined
  return {
    movieHead,
    boxes: { head, edits, mediaHead, handler, pictureHead, descriptions },
    id: await number(file, head.content + ((await byte(file, head.content)) === 1 ? 20 : 12)),
    timescale,
    edit,
    samples,
    size: oneSize || undefined,
    tables: { times, runs, chunks, sizes, offsets: await table('ctts', 8), keys: await table('stss', 4) },
  }
}

const maxSamples = 1 << 24 // a day at 190 frames a second; a file that says more is to waste our time
const maxTable = 1 << 27 // bytes of a table; more is not a video

export async function readTable(file: FileHandle, table: Table, from = 0, count = table.count): Promise<Buffer> {
  const entries = Math.max(0, Math.min(count, table.count - from))
  if (entries * table.entry > maxTable) throw new Error('A table of the file is too long.')
  return bytesAt(file, table.start + from * table.entry, entries * table.entry)
}

async function byte(file: FileHandle, at: number): Promise<number> {
  return (await bytesAt(file, at, 1))[0]!
}

async function number(file: FileHandle, at: number): Promise<number> {
  const bytes = await bytesAt(file, at, 4)
  return bytes.length === 4 ? bytes.readUInt32BE(0) : 0
}

// Of "mvhd" and "mdhd": units in a second.
async function readScale(file: FileHandle, box: Mp4Box): Promise<number> {
  return number(file, box.content + ((await byte(file, box.content)) === 1 ? 20 : 12))
}

// One edit at the usual speed, a pause before it or not; anything else is left to ffmpeg.
async function readEdit(file: FileHandle, edits: Mp4Box, timescale: number, movieScale: number) {
  const list = await boxAt(file, edits, 'elst')
  if (!list) return noEdit
  const bytes = await bytesAt(file, list.content, Math.min(list.end - list.content, 100))
  if (bytes.length < 8) return undefined
  const long = bytes[0] === 1
  const count = bytes.readUInt32BE(4)
  if (count === 0) return noEdit
  if (count > 2 || bytes.length < 8 + count * (long ? 20 : 12)) return undefined
  const editEntries = Array.from({ length: count }, (_, i) => {
    const at = 8 + i * (long ? 20 : 12)
    return {
      length: long ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at),
      from: long ? Number(bytes.readBigInt64BE(at + 8)) : bytes.readInt32BE(at + 4),
      speed: bytes.readUInt32BE(at + (long ? 16 : 8)),
    }
  })
  const edit = editEntries.at(-1)!
  const pause = count === 2 ? editEntries[0] : undefined
  if ((pause && pause.from !== -1) || edit.from < 0 || edit.speed !== 0x10000) return undefined
  const units = (length: number) => Math.round((length * timescale) / movieScale)
  return {
    shift: units(pause?.length ?? 0) - edit.from,
    until: edit.length > 0 ? edit.from + units(edit.length) : Number.POSITIVE_INFINITY,
  }
}

const noEdit: Mp4Track['edit'] = { shift: 0, until: Number.POSITIVE_INFINITY }
