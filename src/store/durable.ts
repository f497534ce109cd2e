import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refusalBelow } from './refusal.ts'
import { temporaryPath } from './temporary.ts'

// Who may read what is written. private: this user alone, whatever the umask says; for everything below the data folder.
// umask: whoever the umask allows; for files that the user asked for by name.
export type Access = 'private' | 'umask'
export const fileModes = { private: 0o600, umask: 0o666 } as const
export const folderModes = { private: 0o700, umask: 0o777 } as const

// Makes the folder and its parents so that they are still there after a power cut.
export async function makeFolder(folder: string, access: Access = 'private'): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: folderModes[access] }).catch(async error => {
    throw await refusalBelow(folder, error)
  })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

// Replaces a small file as a whole: readers see the old content or the new one, never a part, whenever we are killed, and
// after a power cut too.
export async function writeDurably(
  file: string,
  content: string | Uint8Array,
  access: Access = 'private',
): Promise<void> {
  await replace(file, content, 'synced', access)
}

// The same but for power cuts: for records that can be made again, written while a person waits.
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await replace(file, content, 'unsynced', 'private')
}

async function replace(
  file: string,
  content: string | Uint8Array,
  how: 'synced' | 'unsynced',
  access: Access,
): Promise<void> {
  const folder = dirname(file)
  const temporary = temporaryPath(folder)
  try {
    const handle = await open(temporary, 'wx', fileModes[access])
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
