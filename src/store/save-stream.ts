import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileModes } from './durable.ts'
import { makeFile } from './make-file.ts'
import { onDisk } from './storage-error.ts'
import { isTemporary } from './temporary.ts'

// Writes a file from a stream as a whole: if the stream fails or we are killed, there is no file of this name.
export async function saveStream(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  await sweep(dirname(path))
  await makeFile(path, temporary =>
    onDisk(`write ${path}`, () =>
      pipeline(Readable.from(content), createWriteStream(temporary, { flags: 'wx', mode: fileModes.private }), {
        signal,
      }),
    ),
  )
}

const old = 3_600_000 // milliseconds; a younger one may be another process's work

// What a killed process left in the folder.
async function sweep(folder: string): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter(isTemporary)) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > old) await rm(join(folder, name), { force: true })
  }
}
