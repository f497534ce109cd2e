import { open, stat } from 'node:fs/promises'
import type { z } from 'zod'
import { absentAs, StorageError } from '../core/errors.ts'
import { type Access, fileModes, syncFile } from './durable.ts'
import { readTextFile } from './read-file.ts'
import { onDisk } from './storage-error.ts'

export interface JsonLines {
  append(row: unknown): Promise<void> // in their order, each whole
  flush(): Promise<void> // everything appended is on the disk itself
}

// Opens a file of one JSON object a line for appending. A line that a killed process left half written is cut off first.
// With "each-line" a row is on the disk itself, past a power cut, once `append` returns.
export async function openJsonLines(
  file: string,
  sync: 'each-line' | 'at-flush',
  access: Access = 'private',
): Promise<JsonLines> {
  const doing = `write ${file}`
  let size = await onDisk(doing, () => cutTornLine(file, fileModes[access]))
  let last: Promise<void> = Promise.resolve()
  let batch: { rows: string[]; written: Promise<void> } | undefined // rows that come during a write go with the next one

  const write = async (rows: readonly string[]) => {
    const lines = Buffer.from(rows.join(''))
    // Opened for each write: the process may be stopped at any time, and nobody would close it.
    await using handle = await open(file, 'a', fileModes[access])
    try {
      for (let at = 0; at < lines.length; ) at += (await handle.write(lines, at)).bytesWritten
      if (sync === 'each-line') await handle.sync()
      size += lines.length
    } catch (error) {
      await handle.truncate(size).catch(() => {}) // the next reader drops a torn line anyway
      throw error
    }
  }

  return {
    append(row) {
      const line = `${JSON.stringify(row)}\n`
      if (batch) {
        batch.rows.push(line)
        return batch.written
      }
      const rows = [line]
      const written = last.then(() => {
        batch = undefined
        return onDisk(doing, () => write(rows))
      })
      batch = { rows, written }
      last = written.catch(() => {})
      return written
    },
    async flush() {
      await last
      await onDisk(doing, () => syncFile(file))
    },
  }
}

// How long the file is without a torn last line.
async function cutTornLine(file: string, mode: number): Promise<number> {
  await using handle = await open(file, 'a+', mode)
  const bytes = await handle.readFile()
  const size = bytes.lastIndexOf(10) + 1
  if (size < bytes.length) await handle.truncate(size)
  return size
}

// All whole rows of such a file; none if it does not exist. A torn last line is dropped, a broken one before it is a fault.
// A pipe in its place would never end.
export async function readJsonLines<T>(file: string, shape: z.ZodType<T>): Promise<T[]> {
  const stats = await onDisk(`read ${file}`, () => stat(file).catch(absentAs(undefined)))
  if (stats && !stats.isFile()) throw new StorageError(`${file} must be a regular file.`)
  const lines = ((await readTextFile(file)) ?? '').split('\n')
  lines.pop() // after the last line end: nothing, or a torn line
  return lines.map((line, at) => {
    try {
      return shape.parse(JSON.parse(line))
    } catch (error) {
      throw new StorageError(`${file} is damaged at line ${at + 1}.`, { cause: error })
    }
  })
}
