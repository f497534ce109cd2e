import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../core/errors.ts'
import { temporaryPath } from './temporary.ts'

// Who may read what is written. private: only this user, whatever the umask says; for everything below the data folder.
// umask: as the umask allows; for files that the user asked for by name.
export type Access = 'private' | 'umask'
export const fileModes = { private: 0o600, umask: 0o666 } as const
export const folderModes = { private: 0o700, umask: 0o777 } as const

// Makes the folder and its parents so that they are still there after a power cut.
export async function ensureFolder(folder: string, access: Access = 'private'): Promise<void> {
  for (const each of await makeEach(folder, folderModes[access])) await syncFolder(dirname(each))
}

// Node's own mkdir with "recursive" never ends where a parent is said to be missing and cannot be made, as below /proc.
async function makeEach(folder: string, mode: number): Promise<string[]> {
  try {
    await mkdir(folder, { mode })
    return [folder]
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return []
    const parent = dirname(folder)
    if (code !== 'ENOENT' || parent === folder) throw error
    const above = await makeEach(parent, mode)
    if (above.length > 0) return [...(await makeEach(folder, mode)), ...above]
    // The parent is there, and yet nothing can be made in it; a folder that another process has just made is as good.
    return mkdir(folder, { mode }).then(
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
export async function writeDurably(
  file: string,
  content: string | Uint8Array,
  access: Access = 'private',
  how: 'synced' | 'unsynced' = 'synced',
): Promise<void> {
  const folder = dirname(file)
  const temporary = temporaryPath(folder)
  try {
    await writeNew(temporary, content, how, access)
    await rename(temporary, file)
    if (how === 'synced') await syncFolder(folder)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}) // a later sweep removes it; the first error is the one to report
    throw error
  }
}

// The same but for power cuts: for records that can be made again, written while the user waits.
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  await writeDurably(file, content, 'private', 'unsynced')
}

async function writeNew(
  file: string,
  content: string | Uint8Array,
  how: 'synced' | 'unsynced',
  access: Access,
): Promise<void> {
  await using handle = await open(file, 'wx', fileModes[access])
  await handle.writeFile(content)
  if (how === 'synced') await handle.sync()
}

export async function syncFile(file: string): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.sync()
}

// Makes a rename inside the folder survive a power cut. Windows has no such call.
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

// A folder that nobody needs any more, with all that is in it.
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

// A file that nobody needs any more; nothing if there is none.
export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true })
}
