import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = '.tmp-'
const live = new Set<string>()

// A name beside the final one, for work that is renamed into place when it is whole.
export function temporaryPath(folder: string): string {
  return join(folder, `${prefix}${randomBytes(8).toString('hex')}`)
}

// As temporaryPath, for a folder that this process works in for long: its own sweep leaves it alone until `done` is called.
export function temporaryFolder(parent: string): { path: string; done(): void } {
  const path = temporaryPath(parent)
  live.add(path)
  return { path, done: () => live.delete(path) }
}

export function isTemporary(name: string): boolean {
  return name.startsWith(prefix)
}

// Removes what killed runs left behind in a video's folder. Only the holder of the video's lock may call it:
// then no other process works in a temporary folder. Small files are written without the lock, so a young one stays.
export async function sweepTemporary(videoFolder: string): Promise<string[]> {
  const stages = join(videoFolder, 'stages')
  const folders = [videoFolder, join(videoFolder, 'index'), stages]
  for (const name of await namesIn(stages)) folders.push(join(stages, name))
  const swept: string[] = []
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      const path = join(folder, name)
      if (!isTemporary(name) || live.has(path)) continue
      const found = await stat(path).catch(() => undefined)
      if (!found || (found.isFile() && Date.now() - found.mtimeMs < 3_600_000)) continue
      await rm(path, { recursive: true, force: true })
      swept.push(path)
    }
  }
  return swept
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
