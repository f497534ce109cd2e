import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exists } from './read-file.ts'

// What is free on the disk that holds a folder, or will hold it: bytes, the disk by a number, and the part of the path that is there.
export async function freeSpace(folder: string): Promise<{ folder: string; disk: number; bytes: number }> {
  let at = folder
  while (at !== dirname(at) && !(await exists(at))) at = dirname(at)
  const [{ bavail, bsize }, { dev: disk }] = await Promise.all([statfs(at), stat(at)])
  return { folder: at, disk, bytes: bavail * bsize }
}
