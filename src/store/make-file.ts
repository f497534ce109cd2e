import { chmod, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Access, fileModes, makeFolder, syncFile, syncFolder } from './durable.ts'
import { onDisk } from './storage-error.ts'
import { temporaryPath } from './temporary.ts'

// Lets somebody else (a program, a library) write a file under a temporary name beside it, and renames it when it is whole:
// a file of this name is never half written.
export async function makeFile(
  path: string,
  make: (temporary: string) => Promise<unknown>,
  access: Access = 'private',
): Promise<void> {
  const folder = dirname(path)
  const temporary = temporaryPath(folder)
  await onDisk(`make ${folder}`, () => makeFolder(folder, access))
  try {
    await make(temporary)
    await onDisk(`write ${path}`, async () => {
      // A program of somebody else's has made it with the umask.
      if (access === 'private') await chmod(temporary, fileModes.private)
      await syncFile(temporary)
      await rename(temporary, path)
      await syncFolder(folder)
    })
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}
