import { open } from 'node:fs/promises'
import { absentAs } from '../core/errors.ts'
import { onDisk } from './storage-error.ts'

const piece = 256 * 1024 // bytes that are read at once

interface Tail {
  next(): Promise<string[]> // the whole lines that have come since; none if there are none yet
}

// Follows a file of lines that another may still be writing. Nothing is held but the place in it.
export function tail(file: string): Tail {
  let at = 0
  return {
    next: () =>
      onDisk(`read ${file}`, async () => {
        const opened = await open(file, 'r').catch(absentAs(undefined))
        if (!opened) return []
        await using handle = opened
        for (let size = piece; ; size *= 2) {
          const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, at)
          const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1
          if (end === 0 && bytesRead === size) continue // a line longer than the piece
          at += end
          return end === 0 ? [] : buffer.toString('utf8', 0, end - 1).split('\n')
        }
      }),
  }
}
