import type { FileHandle } from 'node:fs/promises'

const bufferBytes = 256 * 1024

export interface BufferedFile {
  write(chunk: Uint8Array): Promise<void> // the caller may use its buffer again
  flush(): Promise<void>
}

// Gathers small writes to a file from `at` on. `written` sees the bytes that have reached it.
export function bufferedFile(handle: FileHandle, at: number, written: (chunk: Uint8Array) => void): BufferedFile {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let position = at
  let last = Promise.resolve()
  const flushNow = async () => {
    const chunk = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, position)
      written += bytesWritten
      position += bytesWritten
    }
    written(chunk)
  }
  const flush = () => {
    last = last.then(flushNow)
    return last
  }
  return {
    flush,
    async write(chunk) {
      waiting.push(chunk.slice())
      waitingBytes += chunk.length
      if (waitingBytes >= bufferBytes) await flush()
    },
  }
}
