import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileModes } from './durable.ts'
import { onDisk } from './storage-error.ts'

// A temporary folder for the members of an archive.
export interface Unpacked {
  folder: string
  add(parts: readonly string[], content: AsyncIterable<Uint8Array>): Promise<void>
  close(): Promise<void>
}

export async function openUnpacked(): Promise<Unpacked> {
  const folder = await onDisk('make a temporary folder', () => mkdtemp(join(tmpdir(), 'longtake-unpacked-')))
  return {
    folder,
    add: (parts, content) => {
      const path = join(folder, ...parts)
      return onDisk(`write ${path}`, async () => {
        await mkdir(dirname(path), { recursive: true })
        await using handle = await open(path, 'w', fileModes.private)
        for await (const piece of content) await handle.write(piece)
      })
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
