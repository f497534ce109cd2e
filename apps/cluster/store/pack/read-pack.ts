import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BackendError } from '../../../../src/core/errors.ts'
import { StageMeta, type StoredFile } from '../../../../src/core/stage.ts'
import { Video } from '../../../../src/core/video.ts'
import { flacToPcm } from '../../../../src/media/flac.ts'
import { ArchiveError } from '../../../../src/store/archive/member.ts'
import { blockSize, readTarHeader, tarPadding } from '../../../../src/store/archive/tar-header.ts'
import { parseStoredJson } from '../../../../src/store/read-file.ts'
import { isBroken, refuseNewer } from '../../../../src/store/sealed-record.ts'

// Names that no file of a stage can have: those begin with a letter or a digit.
export const videoName = '.video.json'
export const endName = '.end.json'
export const flacEnding = '.flac'

const EndMark = z.object({ format: z.literal(1), members: z.int(), sha256: z.string() })

// Its length depends only on the number of members.
export function endMark(sha256: string, members: number): string {
  return `${JSON.stringify({ format: 1, members, sha256 })}\n`
}

// What a pack is found to be other than what was written: it is of no use to anyone.
export class DamagedPack extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause })
    this.name = 'DamagedPack'
  }
}

interface PackReading {
  name?: string // of the object, for messages
  stage?: { video: string; stage: string; key: string } // what it is to be
  expected?: { bytes: number; sha256: string } // as its row says
  began?(meta: StageMeta): Promise<void> // before the first file: is there room?
  file?(name: string): Promise<FileSink> // where its files go; without it they are only checked
  signal?: AbortSignal
}

interface FileSink {
  write(piece: Uint8Array): Promise<void>
  close(): Promise<void>
}

export interface ReadPack {
  meta: StageMeta
  metaText: Buffer
  video?: Video
  bytes: number
  sha256: string
}

const maxMeta = 16 << 20

// Reads a pack as it comes and checks everything: names, sizes and hashes of all files, the mark at its end, and nothing beyond.
export async function readPack(source: AsyncIterable<Uint8Array>, reading: PackReading = {}): Promise<ReadPack> {
  try {
    return await read(byteReader(source), reading)
  } catch (error) {
    throw error instanceof ArchiveError ? new DamagedPack(error.message, error) : error
  }
}

async function read(bytes: ByteReader, reading: PackReading): Promise<ReadPack> {
  const first = await header(bytes)
  if (first.name !== 'meta.json') throw new DamagedPack(`it begins with ${quoteName(first.name)} in place of meta.json`)
  const metaText = await small(bytes, first)
  const written = parseStoredJson(metaText.toString('utf8'))
  refuseNewer(`meta.json of ${reading.name ?? 'a pack'}`, written, 1)
  const meta = parsed(StageMeta, metaText, 'meta.json')
  if (isBroken(written)) throw new DamagedPack('meta.json has other content than was written')
  const { stage } = reading
  if (stage && (meta.stage !== stage.stage || meta.key !== stage.key || meta.video !== stage.video))
    throw new DamagedPack(`it holds stage "${meta.stage}" of ${meta.video}, key ${meta.key}`)
  await reading.began?.(meta)
  const missing = new Map(Object.entries(meta.files))
  let video: Video | undefined
  for (let members = 1; ; members++) {
    reading.signal?.throwIfAborted()
    const before = bytes.soFar()
    const member = await header(bytes)
    if (member.name === endName) {
      const end = parsed(EndMark, await small(bytes, member), endName)
      if (end.members !== members || end.sha256 !== before)
        throw new DamagedPack('its end mark is that of another pack')
      break
    }
    if (member.name === videoName && !video) video = parsed(Video, await small(bytes, member), videoName)
    else await content(bytes, member, missing, reading)
  }
  const [lost] = missing.keys()
  if (lost !== undefined) throw new DamagedPack(`${lost} is missing`)
  if ((await bytes.take(2 * blockSize)).some(byte => byte !== 0) || !(await bytes.atEnd()))
    throw new DamagedPack('something follows its end')
  const digest = { bytes: bytes.bytes(), sha256: bytes.soFar() }
  const { expected } = reading
  if (expected && (expected.bytes !== digest.bytes || expected.sha256 !== digest.sha256))
    throw new DamagedPack('it is not the pack that its row names')
  return { meta, metaText, video, ...digest }
}

// A file of the stage, which leaves the list of those that are missing; only a name on that list is written anywhere.
async function content(
  bytes: ByteReader,
  { name, size }: TarMember,
  missing: Map<string, StoredFile>,
  { file, signal }: PackReading,
): Promise<void> {
  const isFlac = !missing.has(name) && name.endsWith(flacEnding)
  const plain = isFlac ? name.slice(0, -flacEnding.length) : name
  const expected = missing.get(plain)
  if (!expected || !/^[a-zA-Z0-9][\w.-]*$/.test(plain) || plain === 'meta.json')
    throw new DamagedPack(`${quoteName(name)} is not one of its files`)
  if (isFlac ? size > expected.bytes : size !== expected.bytes)
    throw new DamagedPack(`${name} has ${size} bytes in place of ${expected.bytes}`)
  missing.delete(plain)
  const sink = await file?.(plain)
  const hash = createHash('sha256')
  let written = 0
  const write = async (piece: Uint8Array) => {
    written += piece.length
    if (written > expected.bytes) throw new DamagedPack(`${name} has more than ${expected.bytes} bytes`)
    hash.update(piece)
    await sink?.write(piece)
  }
  try {
    if (isFlac) await decoded(bytes, { name, size }, write, signal)
    else for await (const piece of bytes.stream(size)) await write(piece)
  } finally {
    await sink?.close()
  }
  if (written !== expected.bytes || hash.digest('hex') !== expected.sha256)
    throw new DamagedPack(`${plain} has other content than was written`)
  await bytes.take(tarPadding(size))
}

// ffmpeg may end before it has read everything; the rest of the member is passed over.
async function decoded(
  bytes: ByteReader,
  { name, size }: TarMember,
  write: (piece: Uint8Array) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const end = bytes.bytes() + size
  try {
    await flacToPcm(bytes.stream(size), write, signal)
  } catch (error) {
    if (!(error instanceof BackendError && /ffmpeg stopped/.test(error.message))) throw error
    throw new DamagedPack(`${name} must be FLAC`, error)
  }
  for await (const _ of bytes.stream(end - bytes.bytes()));
}

interface TarMember {
  name: string
  size: number
}

async function header(bytes: ByteReader): Promise<TarMember> {
  const { name, size, type } = readTarHeader(await bytes.take(blockSize))
  if (type !== '0') throw new DamagedPack(`${quoteName(name.toString())} is not a plain file`)
  return { name: name.toString('utf8'), size }
}

async function small(bytes: ByteReader, { name, size }: TarMember): Promise<Buffer> {
  if (size > maxMeta) throw new DamagedPack(`${name} has ${size} bytes`)
  const text = await bytes.take(size)
  await bytes.take(tarPadding(size))
  return text
}

function parsed<T>(shape: z.ZodType<T>, text: Buffer, name: string): T {
  const { data } = shape.safeParse(parseStoredJson(text.toString('utf8')))
  if (data === undefined) throw new DamagedPack(`${name} cannot be read`)
  return data
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}

interface ByteReader {
  take(length: number): Promise<Buffer>
  stream(length: number): AsyncIterable<Uint8Array>
  atEnd(): Promise<boolean>
  soFar(): string // sha256 of all that was read
  bytes(): number
}

// A stream in pieces of asked lengths, hashed on the way. A stream that is shorter is an error.
function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let buffer: Uint8Array = Buffer.alloc(0)
  let bytes = 0
  const more = async () => {
    while (buffer.length === 0) {
      const next = await pieces.next()
      if (next.done) return false
      buffer = next.value
    }
    return true
  }
  async function* stream(length: number): AsyncIterable<Uint8Array> {
    for (let bytesLeft = length; bytesLeft > 0; ) {
      if (!(await more())) throw new ArchiveError(`it ends after ${bytes} bytes`)
      const piece = buffer.subarray(0, bytesLeft)
      buffer = buffer.subarray(piece.length)
      bytesLeft -= piece.length
      bytes += piece.length
      hash.update(piece)
      yield piece
    }
  }
  return {
    stream,
    async take(length) {
      const chunks: Uint8Array[] = []
      for await (const piece of stream(length)) chunks.push(piece)
      return Buffer.concat(chunks)
    },
    atEnd: async () => !(await more()),
    soFar: () => hash.copy().digest('hex'),
    bytes: () => bytes,
  }
}
