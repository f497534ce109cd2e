import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './storage-error.ts'

// Why a folder could not be made. On a read-only disk Node's recursive mkdir reports ENOENT for a folder whose parents are
// missing: the nearest folder that exists gives the real reason.
export async function refusalBelow(folder: string, error: unknown): Promise<unknown> {
  if (errorCode(error) !== 'ENOENT') return error
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const found = await stat(at).catch(() => undefined)
    if (!found) continue
    return access(at, constants.W_OK).then(
      () => error,
      refusal => refusal,
    )
  }
  return error
}
