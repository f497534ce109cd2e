import { join } from 'node:path'
import { listEntries } from '../../work/videos/video-view.ts'
import type { Workplace } from '../../work/workplace.ts'

const maxFiles = 500
const maxFolders = 200

// Files of the allowed folders that the library does not know yet, as "add_video" takes them.
export async function newFiles({ served, folders }: Workplace): Promise<string[]> {
  const paths: string[] = []
  const waiting = folders.map(folder => ({ folder, below: '' }))
  for (let looked = 0; looked < maxFolders && paths.length < maxFiles; looked++) {
    const next = waiting.shift()
    if (!next) break
    const { folder, below } = next
    const { entries } = await listEntries(served, folder, join(folder.path, below)).catch(() => ({ entries: [] })) // gone since
    for (const { name, kind, video } of entries) {
      if (kind === 'folder') waiting.push({ folder, below: join(below, name) })
      else if (video === undefined) paths.push(join(folder.path, below, name))
    }
  }
  return paths
}
