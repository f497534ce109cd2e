import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { StoredFile } from '../../core/stage.ts'

const blockBytes = 1024 * 1024
const large = 8 * blockBytes
const sampled = 6 // blocks of a large file

// Text, which is read to its end anyway, and what native code opens, for which a wrong byte can be a crash.
const inFull = /\.(jsonl?|sqlite|index|vectors)$/

// Whether a file is large, so that a use of it checks some of its blocks and not every byte.
function isSampled(name: string, bytes: number): boolean {
  return bytes > large && !inFull.test(name)
}

// Hashes what is written to a file, and its blocks, as the bytes come.
export function fileHasher() {
  const whole = createHash('sha256')
  const blocks: string[] = []
  let block = createHash('sha256')
  let inBlock = 0
  let bytes = 0
  const endBlock = () => {
    blocks.push(block.digest('hex').slice(0, 32))
    block = createHash('sha256')
    inBlock = 0
  }
  return {
    update(chunk: Uint8Array) {
      whole.update(chunk)
      bytes += chunk.length
      for (let at = 0; at < chunk.length; ) {
        const piece = chunk.subarray(at, at + blockBytes - inBlock)
        block.update(piece)
        at += piece.length
        inBlock += piece.length
        if (inBlock === blockBytes) endBlock()
      }
    },
    finish(name: string): StoredFile {
      if (inBlock > 0) endBlock()
      const sha256 = whole.digest('hex')
      return { bytes, sha256, ...(isSampled(name, bytes) && { blocks: { bytes: blockBytes, sha256: blocks } }) }
    },
  }
}

// Size and hashes of a file that a library has written.
export async function hashFile(path: string, name: string): Promise<StoredFile> {
  const hasher = fileHasher()
  for await (const chunk of createReadStream(path, { highWaterMark: blockBytes })) hasher.update(chunk)
  return hasher.finish(name)
}

// Whether a file of the right size is what was written. `use`: a large file by its first, its last and some blocks between,
// others each time; large files of earlier releases, of which no blocks are known, only by size. `whole`: every byte.
export async function isAsWritten(path: string, name: string, expected: StoredFile, how: 'use' | 'whole') {
  if (how === 'whole' || !isSampled(name, expected.bytes))
    return (await hashUpTo(path, expected.bytes)).digest('hex') === expected.sha256
  return !expected.blocks || blocksFit(path, expected.blocks)
}

// The hash of the first bytes of a file.
export async function hashUpTo(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256')
  if (bytes > 0)
    for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: blockBytes })) hash.update(chunk)
  return hash
}

async function blocksFit(path: string, { bytes, sha256 }: NonNullable<StoredFile['blocks']>): Promise<boolean> {
  const chosen = new Set([0, sha256.length - 1])
  while (chosen.size < Math.min(sampled, sha256.length)) chosen.add(Math.floor(Math.random() * sha256.length))
  await using file = await open(path, 'r')
  const buffer = Buffer.alloc(bytes)
  for (const block of chosen) {
    const { bytesRead } = await file.read(buffer, 0, bytes, block * bytes)
    const blockHash = createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex').slice(0, 32)
    if (blockHash !== sha256[block]) return false
  }
  return true
}
