import { StorageError } from '../core/errors.ts'

// Every file we write says its format. One from a newer longtake is left untouched and said so, never misread.
export function newerFormat(file: string, value: unknown, known: number): StorageError | undefined {
  const format = formatOf(value)
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

function formatOf(value: unknown): number | undefined {
  if (!value || typeof value !== 'object' || !('format' in value)) return undefined
  return typeof value.format === 'number' ? value.format : undefined
}
