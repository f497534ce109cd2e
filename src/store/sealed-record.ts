import type { z } from 'zod'
import { StorageError } from '../core/errors.ts'
import { contentHash } from '../core/json.ts'
import { writeDurably } from './durable.ts'
import { parseStoredJson, readTextFile } from './read-file.ts'

// A small record with the hash of its own content, so that a changed byte is noticed whatever it changes, the number of the
// format included. The rule stays the same in every format: "check" is the hash of all the rest.
export async function saveRecord(file: string, record: { format: number }): Promise<void> {
  await writeDurably(file, `${JSON.stringify(sealRecord(record), null, 2)}\n`)
}

// `damaged` where it is not what was written; one from a newer longtake is refused.
export async function readRecord<T>(file: string, shape: z.ZodType<T>): Promise<T | 'absent' | 'damaged'> {
  const text = await readTextFile(file)
  if (text === undefined) return 'absent'
  const value = parseStoredJson(text)
  if (isBroken(value)) return 'damaged'
  refuseNewer(file, value, 1)
  return shape.safeParse(value).data ?? 'damaged'
}

// Every file we write says its format. One from a newer longtake is left untouched and said so, never misread.
export function newerFormat(file: string, value: unknown, known: number): StorageError | undefined {
  const format = readFormat(value)
  if (format === undefined || format <= known) return undefined
  return new StorageError(
    `${file} was written by a newer longtake (format ${format}; this one reads up to ${known}). It was left as it is.`,
    { hint: 'Update longtake, or set LONGTAKE_HOME to another folder.' },
  )
}

export function refuseNewer(file: string, value: unknown, known: number): void {
  const error = newerFormat(file, value, known)
  if (error) throw error
}

function readFormat(value: unknown): number | undefined {
  if (!value || typeof value !== 'object' || !('format' in value)) return undefined
  return typeof value.format === 'number' ? value.format : undefined
}

export function sealRecord<Content extends object>(record: Content): Content & { check: string } {
  return { ...record, check: hashRecord(record) }
}

// Whether a record is not what was written. Records of earlier releases carry no hash and pass.
export function isBroken(value: unknown): boolean {
  if (!value || typeof value !== 'object' || !('check' in value)) return false
  const { check, ...rest } = value
  return check !== hashRecord(rest)
}

function hashRecord(record: object): string {
  return contentHash(JSON.parse(JSON.stringify(record)))
}
