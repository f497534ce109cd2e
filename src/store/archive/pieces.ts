import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'

// One long file that lies in pieces, in order.
export interface Pieces {
  starts: number[] // where each piece begins in the whole
  size: number
  read(start: number, length: number): Promise<Buffer> // shorter at the end
  stream(start: number, end: number): AsyncIterable<Uint8Array> // the end is exclusive
}

export async function joinArchive(files: readonly string[]): Promise<Pieces> {
  let size = 0
  const placed: { file: string; first: number; after: number }[] = []
  for (const file of files) {
    const first = size
    size += (await stat(file)).size
    placed.push({ file, first, after: size })
  }
  const parts = (start: number, end: number) =>
    placed.flatMap(({ file, first, after }) => {
      const from = Math.max(start, first) - first
      const to = Math.min(end, after) - first
      return to > from ? [{ file, from, to }] : []
    })
  return {
    starts: placed.map(({ first }) => first),
    size,
    async read(start, length) {
      const read: Buffer[] = []
      for (const { file, from, to } of parts(start, Math.min(size, start + length))) {
        const handle = await open(file)
        try {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from)
          read.push(buffer.subarray(0, bytesRead))
        } finally {
          await handle.close()
        }
      }
      return Buffer.concat(read)
    },
    async *stream(start, end) {
      for (const { file, from, to } of parts(start, end)) yield* createReadStream(file, { start: from, end: to - 1 })
    },
  }
}
