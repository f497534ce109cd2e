import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './storage-error.ts'
import { temporaryPath } from './temporary.ts'

// Makes the folder and its parents so that they are still there after a power cut.
export async function makeFolder(folder: string): Promise<void> {
  for (const made of await makeEach(folder)) await syncFolder(dirname(made))
}

// Node's own mkdir with "recursive" never ends where a parent is said to be missing and cannot be made, as below /proc.
async function makeEach(folder: string): Promise<string[]> {
  try {
    await mkdir(folder)
    return [folder]
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return []
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder) throw error
    const above = await makeEach(parent)
    if (above.length > 0) return [...(await makeEach(folder)), ...above]
    // The parent is there, and yet nothing can be made in it; a folder that another process has just made is as good.
    return mkdir(folder).then(
      () => [folder],
      async again => {
        if (errorCode(again) === 'EEXIST' && (await stat(folder)).isDirectory()) return []
        throw Object.assign(again, errorCode(again) === 'ENOENT' && { code: 'EACCES' })
      },
    )
  }
}

// Replaces a small file as a whole: readers see the old content or the new one, never a part, whenever we are killed, and
// after a power cut too.
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  await replace(file, content, 'synced')
}

// The same but for power cuts: for records that can be made again, written while a person waits.
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await replace(file, content, 'unsynced')
}

async function replace(file: string, content: string | Uint8Array, how: 'synced' | 'unsynced'): Promise<void> {
  const folder = dirname(file)
  const temporary = temporaryPath(folder)
  try {
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(content)
      if (how === 'synced') await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
    if (how === 'synced') await syncFolder(folder)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}) // the sweep takes it later; the first error is the one to tell
    throw error
  }
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// Makes a rename inside the folder survive a power cut. Windows has no such call.
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
