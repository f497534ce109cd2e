import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { InputError } from '../../core/errors.ts'
import { type FileLook, lookAt, looksSame } from './file-look.ts'
import { quoteName } from './local-file.ts'

export interface FullHash {
  sha256: string
  look: FileLook // from before the first byte was read
}

// The sha256 of every byte of a file that stays as it is while it is read.
export async function fullHash(
  path: string,
  signal: AbortSignal,
  progress: (bytes: number, of: number) => void = () => {},
): Promise<FullHash> {
  const look = await lookAt(path)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    hash.update(chunk)
    bytes += chunk.length
    progress(bytes, look.bytes)
  }
  if (!looksSame(look, await lookAt(path), 'all')) throw changedWhile(path, 'it was read')
  return { sha256: hash.digest('hex'), look }
}

export function changedWhile(path: string, what: string): InputError {
  return new InputError(`${quoteName(basename(path))} changed while ${what}.`, {
    hint: 'Run the same command again when nothing writes to the file any more.',
  })
}
