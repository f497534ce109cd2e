import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, syncFile, syncFolder } from './durable.ts'
import { onDisk } from './storage-error.ts'
import { temporaryPath } from './temporary.ts'

// Lets somebody else (a program, a library) write a file under a temporary name beside it, and renames it when it is whole:
// a file of this name is never half written.
export async function makeFile(path: string, make: (temporary: string) => Promise<unknown>): Promise<void> {
  const folder = dirname(path)
  const temporary = temporaryPath(folder)
  await onDisk(`make ${folder}`, () => makeFolder(folder))
  try {
    await make(temporary)
    await onDisk(`write ${path}`, async () => {
      await syncFile(temporary)
      await rename(temporary, path)
      await syncFolder(folder)
    })
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}
