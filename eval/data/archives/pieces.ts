import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'

// One long file that lies in pieces, in order.
export interface Pieces {
  files: string[]
  starts: number[] // where each piece begins in the whole
  size: number
  read(start: number, length: number): Promise<Buffer> // shorter at the end
  stream(start: number, end: number): AsyncIterable<Uint8Array> // the end is exclusive
}

export async function joinPieces(files: readonly string[]): Promise<Pieces> {
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0))
  const size = sizes.reduce((sum, one) => sum + one, 0)
  const parts = (start: number, end: number) =>
    files.flatMap((file, i) => {
      const from = Math.max(start, starts[i]) - starts[i]
      const to = Math.min(end, starts[i] + sizes[i]) - starts[i]
      return to > from ? [{ file, from, to }] : []
    })
  return {
    files: [...files],
    starts,
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
