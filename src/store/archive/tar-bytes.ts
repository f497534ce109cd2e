import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorText } from '../../core/errors.ts'
import { ArchiveError } from './member.ts'
import type { Pieces } from './pieces.ts'

// The bytes of a tar file in order, as they lie or through gzip.
export interface TarBytes {
  left: number // to its end; infinite where that is not known before
  take(length: number): Promise<Buffer> // fewer only at the end
  skip(length: number): Promise<void>
  stream(length: number): AsyncIterable<Uint8Array>
  close(): void
}

export interface TarReading {
  gzip: boolean
  signal?: AbortSignal
  max?: number // bytes that it may decompress to
}

export function tarBytes(file: Pieces, reading: TarReading): TarBytes {
  return reading.gzip ? decompressed(file, reading) : plain(file)
}

const windowSize = 256 * 1024 // bytes read at once where headers lie close together
const block = 512 // the padding of the last member may be missing

// Skipping costs nothing if the bytes lie as they are.
function plain(file: Pieces): TarBytes {
  let at = 0
  let window: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }
  return {
    get left() {
      return file.size - at
    },
    async take(length) {
      if (at < window.at || at + length > window.at + window.bytes.length)
        window = { at, bytes: await file.read(at, Math.max(length, windowSize)) }
      const bytes = window.bytes.subarray(at - window.at, at - window.at + length)
      at += bytes.length
      return bytes
    },
    async skip(length) {
      if (length > file.size - at + block) throw endsEarly()
      at += length
    },
    async *stream(length) {
      for await (const piece of file.stream(at, at + length)) {
        at += piece.length
        yield piece
      }
    },
    close() {},
  }
}

function decompressed(file: Pieces, { signal, max = Number.POSITIVE_INFINITY }: TarReading): TarBytes {
  const source = Readable.from(file.stream(0, file.size))
  const gunzip = createGunzip()
  source.on('error', error => gunzip.destroy(error))
  const pieces = source.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let buffer: Buffer = Buffer.alloc(0)
  let seen = 0
  const more = async () => {
    signal?.throwIfAborted()
    const next = await pieces.next().catch(cause => {
      throw new ArchiveError(
        `it cannot be decompressed (${errorText(cause)}); a piece is missing, or it is cut short`,
        { cause },
      )
    })
    if (next.done) return undefined
    seen += next.value.length
    if (seen > max)
      throw new ArchiveError(
        `it decompresses to more than ${Math.round(max / 1e6)} MB, ${Math.round(seen / file.size)} times its size`,
      )
    return next.value
  }
  async function* stream(length: number): AsyncIterable<Uint8Array> {
    let remaining = length
    while (remaining > 0) {
      if (buffer.length === 0) buffer = (await more()) ?? buffer
      if (buffer.length === 0) return
      const piece = buffer.subarray(0, remaining)
      buffer = buffer.subarray(piece.length)
      remaining -= piece.length
      yield piece
    }
  }
  return {
    left: Number.POSITIVE_INFINITY,
    stream,
    async take(length) {
      const pieces: Uint8Array[] = []
      for await (const piece of stream(length)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    async skip(length) {
      let skipped = 0
      for await (const piece of stream(length)) skipped += piece.length
      if (skipped + block <= length) throw endsEarly()
    },
    close() {
      source.destroy()
      gunzip.destroy()
    },
  }
}

function endsEarly(): ArchiveError {
  return new ArchiveError('it ends in the middle of a file; a piece is missing')
}
