import { createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileModes } from './durable.ts'
import { makeFile } from './make-file.ts'
import { onDisk } from './storage-error.ts'
import { sweepAbandoned } from './temporary.ts'

// Writes a file from a stream as a whole: if the stream fails or we are killed, there is no file of this name.
export async function saveStream(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  await sweepAbandoned(dirname(path))
  await makeFile(path, temporary =>
    onDisk(`write ${path}`, () =>
      pipeline(Readable.from(content), createWriteStream(temporary, { flags: 'wx', mode: fileModes.private }), {
        signal,
      }),
    ),
  )
}
