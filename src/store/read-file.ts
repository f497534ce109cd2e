import { readdir, stat } from 'node:fs/promises'
import { absentAs } from '../core/errors.ts'
import { shallowJson } from '../core/json.ts'
import { readBoundedText } from '../core/machine/read-bounded.ts'
import { onDisk } from './storage-error.ts'

// Only a file that does not exist counts as absent. A disk that cannot answer is an error: it must not pass for nothing.

// What is longer than the bound is not text of ours, and would not fit into one.
export function readTextFile(file: string, most = 500e6): Promise<string | undefined> {
  return onDisk(`read ${file}`, () => readBoundedText(file, most).catch(absentAs(undefined)))
}

export function exists(path: string): Promise<boolean> {
  return onDisk(`read ${path}`, () => stat(path).then(() => true, absentAs(false)))
}

// The entries of a folder; none if there is no such folder.
export function listNames(folder: string): Promise<string[]> {
  return onDisk(`read ${folder}`, () => readdir(folder).catch(absentAs([])))
}

// Undefined if the text is not JSON, or nested so deeply that whoever walks through it would run out of stack.
export function parseStoredJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : shallowJson(text)
  } catch {
    return undefined
  }
}
