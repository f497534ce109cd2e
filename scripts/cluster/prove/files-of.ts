import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

// The hash of every file that stages have made in a library, by its place. meta.json says when and how fast it was made, so it is
// another one each time; the hashes in it are checked when a pack is opened.
export async function listResultFiles(home: string): Promise<Map<string, string>> {
  const root = join(home, 'library')
  const found = new Map<string, string>()
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const place = relative(root, path)
    const isResult = /^[^/]+\/stages\/[^/.]+\/[^/.]+\/[^/]+$/.test(place)
    if (entry.isFile() && isResult && entry.name !== 'meta.json') found.set(place, await hashOf(path))
  }
  return found
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}
