import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const block = 64 * 1024
const blocks = 32

// A video's id: from the size and 32 blocks spread over the file, the first and last among them (2 MB read, whatever the length).
// The path plays no part, so moving or renaming changes nothing. Two files that differ only between the blocks would share an id.
export async function contentId(path: string, bytes: number): Promise<string> {
  await using file = await open(path, 'r')
  const buffer = Buffer.alloc(block)
  return await computeContentId(bytes, async offset => {
    const { bytesRead } = await file.read(buffer, 0, block, offset)
    return buffer.subarray(0, bytesRead)
  })
}

// The same of a file that lies elsewhere: `read` gives what there is from an offset on, at most so many bytes.
export async function computeContentId(
  bytes: number,
  read: (offset: number, length: number) => Promise<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256').update(`longtake ${bytes}\n`)
  for (const offset of blockOffsets(bytes)) hash.update(await read(offset, block))
  return `v${hash.digest('hex').slice(0, 20)}`
}

function blockOffsets(bytes: number): number[] {
  if (bytes <= block * blocks) return Array.from({ length: Math.ceil(bytes / block) }, (_, i) => i * block)
  return Array.from({ length: blocks }, (_, i) => Math.floor(((bytes - block) * i) / (blocks - 1)))
}
