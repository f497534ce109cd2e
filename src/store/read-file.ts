import { readFile, stat } from 'node:fs/promises'
import { absentAs } from '../core/errors.ts'
import { onDisk } from './storage-error.ts'

// Only a file that does not exist counts as absent. A disk that cannot answer is a fault to tell: it must not pass for nothing.

export function readText(file: string): Promise<string | undefined> {
  return onDisk(`read ${file}`, () => readFile(file, 'utf8').catch(absentAs(undefined)))
}

export function exists(path: string): Promise<boolean> {
  return onDisk(`read ${path}`, () => stat(path).then(() => true, absentAs(false)))
}

// Undefined where the text is not JSON.
export function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
