import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorText } from '../../../src/core/errors.ts'
import { ArchiveError, exactly, type Member } from './member.ts'
import type { Pieces } from './pieces.ts'

const block = 512

// The files of a tar stream, one after another, plain or through gzip. `read` may be called for the member at hand, before the
// next one is asked for. Links, devices and folders are passed over.
export async function* tarMembers(
  file: Pieces,
  gzip: boolean,
): AsyncIterable<Member & { read(): AsyncIterable<Uint8Array> }> {
  const source = gzip ? unzipped(file) : new PlainBytes(file)
  try {
    let next: { name?: string; size?: number } = {}
    for (;;) {
      const header = await source.take(block)
      if (header.length === 0) return
      if (header.length < block) throw new ArchiveError('it ends in the middle of a header')
      if (header.every(byte => byte === 0)) return // two such blocks are the end; what follows is padding
      if (!hasRightSum(header)) throw new ArchiveError('it is damaged, or a piece is missing')
      const type = String.fromCharCode(header[156])
      const size = next.size ?? numberAt(header, 124, 12)
      if (type === 'L' || type === 'x' || type === 'g' || type === 'K') {
        if (size > 1_000_000) throw new ArchiveError('it has a name of more than a megabyte')
        const content = await source.take(size)
        await source.skip(padding(size))
        if (type === 'L') next.name = cut(content.toString('utf8'))
        else if (type === 'x') next = { ...next, ...paxFields(content) }
        continue
      }
      const member = { name: next.name ?? nameOf(header), size }
      next = {}
      const hasContent = type === '0' || type === '\0' || type === '7'
      if (!hasContent) {
        await source.skip(size + padding(size))
        continue
      }
      let read = 0
      yield {
        ...member,
        read: () =>
          exactly(
            source.stream(size, taken => {
              read += taken
            }),
            member,
          ),
      }
      await source.skip(size - read + padding(size))
    }
  } finally {
    source.close()
  }
}

interface Bytes {
  take(length: number): Promise<Buffer> // fewer only at the end
  skip(length: number): Promise<void>
  stream(length: number, taken: (bytes: number) => void): AsyncIterable<Uint8Array>
  close(): void
}

// Skipping costs nothing where the bytes lie as they are.
class PlainBytes implements Bytes {
  readonly #file: Pieces
  #at = 0

  constructor(file: Pieces) {
    this.#file = file
  }

  async take(length: number): Promise<Buffer> {
    const bytes = await this.#file.read(this.#at, length)
    this.#at += bytes.length
    return bytes
  }

  async skip(length: number): Promise<void> {
    this.#at += length
    if (this.#at >= this.#file.size + block)
      throw new ArchiveError('it ends in the middle of a file; a piece is missing')
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

function unzipped(file: Pieces): Bytes {
  const source = Readable.from(file.stream(0, file.size))
  const gunzip = createGunzip()
  source.on('error', error => gunzip.destroy(error))
  const pieces = source.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let left: Buffer = Buffer.alloc(0)
  const more = async () => {
    try {
      const { value, done } = await pieces.next()
      return done ? undefined : value
    } catch (error) {
      throw new ArchiveError(
        `it cannot be decompressed (${errorText(error)}); a piece is missing, or it is cut short`,
        {
          cause: error,
        },
      )
    }
  }
  async function* stream(length: number, taken: (bytes: number) => void): AsyncIterable<Uint8Array> {
    let wanted = length
    while (wanted > 0) {
      if (left.length === 0) left = (await more()) ?? left
      if (left.length === 0) return
      const piece = left.subarray(0, wanted)
      left = left.subarray(piece.length)
      wanted -= piece.length
      taken(piece.length)
      yield piece
    }
  }
  return {
    stream,
    async take(length) {
      const pieces: Uint8Array[] = []
      for await (const piece of stream(length, () => {})) pieces.push(piece)
      return Buffer.concat(pieces)
    },
    async skip(length) {
      for await (const _ of stream(length, () => {}));
    },
    close() {
      source.destroy()
      gunzip.destroy()
    },
  }
}

function nameOf(header: Buffer): string {
  const name = cut(header.toString('utf8', 0, 100))
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? cut(header.toString('utf8', 345, 500)) : ''
  return prefix === '' || header[263] === 0x20 ? name : `${prefix}/${name}`
}

function cut(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

// Octal digits, or where those do not suffice the number itself, marked by its highest bit.
function numberAt(header: Buffer, at: number, length: number): number {
  if ((header[at] & 0x80) !== 0) {
    const value = header.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256 + byte, header[at] & 0x7f)
    return Number.isSafeInteger(value) ? value : Number.NaN
  }
  return Number.parseInt(cut(header.toString('latin1', at, at + length)).trim() || '0', 8)
}

function hasRightSum(header: Buffer): boolean {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0)
  return sum === numberAt(header, 148, 8) && Number.isFinite(numberAt(header, 124, 12))
}

// "27 path=a/long/name.mp4\n": the length counts itself.
function paxFields(content: Buffer): { name?: string; size?: number } {
  const fields: { name?: string; size?: number } = {}
  let at = 0
  while (at < content.length) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space))
    if (space < 0 || !Number.isInteger(length) || length <= 0) break
    const [key, ...value] = content.toString('utf8', space + 1, at + length - 1).split('=')
    if (key === 'path') fields.name = value.join('=')
    if (key === 'size') fields.size = Number(value.join('='))
    at += length
  }
  return fields
}

function padding(size: number): number {
  return (block - (size % block)) % block
}
