import { createHash } from 'node:crypto'
import { ArchiveError } from '../../../../src/store/archive/member.ts'

export interface ByteReader {
  take(length: number): Promise<Buffer>
  stream(length: number): AsyncIterable<Uint8Array>
  atEnd(): Promise<boolean>
  soFar(): string // sha256 of all that was read
  bytes(): number
}

// A stream in pieces of asked lengths, hashed on the way. A stream that is shorter is an error.
export function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
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
