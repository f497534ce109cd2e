import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorText } from '../../../src/core/errors.ts'
import { ArchiveError } from './member.ts'
import type { Pieces } from './pieces.ts'

// The bytes of a tar file in order, as they lie or through gzip.
export interface TarBytes {
  left: number // to its end; infinite where that is not known before
  take(length: number): Promise<Buffer> // fewer only at the end
  skip(length: number): Promise<void>
  stream(length: number, taken: (bytes: number) => void): AsyncIterable<Uint8Array>
  close(): void
}

export interface TarReading {
  gzip: boolean
  signal?: AbortSignal
  max?: number // bytes that it may decompress to
}

export function tarBytes(file: Pieces, reading: TarReading): TarBytes {
  return reading.gzip ? unzipped(file, reading) : new PlainBytes(file)
}

const window = 256 * 1024 // bytes read at once where headers lie close together

// Skipping costs nothing where the bytes lie as they are.
class PlainBytes implements TarBytes {
  readonly #file: Pieces
  #at = 0
  #held: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }

  constructor(file: Pieces) {
    this.#file = file
  }

  get left(): number {
    return this.#file.size - this.#at
  }

  async take(length: number): Promise<Buffer> {
    const held = this.#at - this.#held.at
    if (held < 0 || held + length > this.#held.bytes.length)
      this.#held = { at: this.#at, bytes: await this.#file.read(this.#at, Math.max(length, window)) }
    const from = this.#at - this.#held.at
    const bytes = this.#held.bytes.subarray(from, from + length)
    this.#at += bytes.length
    return bytes
  }

  async skip(length: number): Promise<void> {
    if (length > this.left + block) throw endsEarly()
    this.#at += length
  }

  async *stream(length: number, taken: (bytes: number) => void): AsyncIterable<Uint8Array> {
    for await (const piece of this.#file.stream(this.#at, this.#at + length)) {
      this.#at += piece.length
      taken(piece.length)
      yield piece
    }
  }

  close(): void {}
}

const block = 512 // the padding of the last member may be missing

function unzipped(file: Pieces, { signal, max = Number.POSITIVE_INFINITY }: TarReading): TarBytes {
  const source = Readable.from(file.stream(0, file.size))
  const gunzip = createGunzip()
  source.on('error', error => gunzip.destroy(error))
  const pieces = source.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)
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
  async function* stream(length: number, taken: (bytes: number) => void): AsyncIterable<Uint8Array> {
    let wanted = length
    while (wanted > 0) {
      if (held.length === 0) held = (await more()) ?? held
      if (held.length === 0) return
      const piece = held.subarray(0, wanted)
      held = held.subarray(piece.length)
      wanted -= piece.length
      taken(piece.length)
      yield piece
    }
  }
  return {
    left: Number.POSITIVE_INFINITY,
    stream,
    async take(length) {
      const pieces: Uint8Array[] = []
      for await (const piece of stream(length, () => {})) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    async skip(length) {
      let skipped = 0
      for await (const piece of stream(length, () => {})) skipped += piece.length
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
