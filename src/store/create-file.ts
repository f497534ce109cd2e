import { createWriteStream } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Access, ensureFolder, fileModes, syncFile, syncFolder } from './durable.ts'
import { onDisk } from './storage-error.ts'
import { sweepAbandoned, temporaryPath } from './temporary.ts'

// Lets a program or a library write a file under a temporary name beside it, and renames it when it is complete: a file of this
// name is never half written.
export async function createFile(
  path: string,
  make: (temporary: string) => Promise<unknown>,
  access: Access = 'private',
): Promise<void> {
  const folder = dirname(path)
  const temporary = temporaryPath(folder)
  await onDisk(`make ${folder}`, () => ensureFolder(folder, access))
  try {
    await make(temporary)
    await onDisk(`write ${path}`, async () => {
      // Another program has made it with the umask.
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

// Writes a file from a stream as a whole: if the stream fails or we are killed, there is no file of this name.
export async function saveStream(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  await sweepAbandoned(dirname(path))
  await createFile(path, temporary =>
    onDisk(`write ${path}`, () =>
      pipeline(Readable.from(content), createWriteStream(temporary, { flags: 'wx', mode: fileModes.private }), {
        signal,
      }),
    ),
  )
}
