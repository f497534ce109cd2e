import { constants } from 'node:fs'
import { access, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { absentAs, forbidden, InputError, nearest } from '../../core/errors.ts'

export interface LocalFile {
  path: string // absolute, links resolved
  name: string // as the user named it
  bytes: number
}

// A plain file with something in it. Pipes and devices could block for ever and are refused before anything opens them.
export async function localFile(given: string): Promise<LocalFile> {
  if (given === '') throw new InputError('The name of the video is empty.', { hint: 'Name one video or audio file.' })
  const shownPath = quoteName(given)
  const path = await realpath(resolve(given)).catch(async error => {
    throw await notThere(given, error)
  })
  const stats = await stat(path)
  if (stats.isDirectory())
    throw new InputError(`${shownPath} is a folder.`, { hint: 'Name one video or audio file in it.' })
  if (!stats.isFile())
    throw new InputError(`${shownPath} is not a regular file (a pipe, socket or device).`, {
      hint: 'Copy what it gives into a file first.',
    })
  if (stats.size === 0) throw new InputError(`${shownPath} is empty (0 bytes).`, { hint: 'Copy or download it again.' })
  await access(path, constants.R_OK).catch(cause => {
    throw new InputError(`${shownPath} may not be read.`, {
      hint: 'Change its permissions (chmod u+r) or copy it.',
      cause,
    })
  })
  return { path, name: basename(resolve(given)), bytes: stats.size }
}

// The first bytes of a file, to identify it.
export async function readHead(path: string): Promise<Uint8Array> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
  return buffer.subarray(0, bytesRead)
}

// A name as it may be printed: in quotes, with control characters and line ends escaped.
export function quoteName(name: string): string {
  return JSON.stringify(name)
}

async function notThere(given: string, error: NodeJS.ErrnoException): Promise<InputError> {
  const shownPath = quoteName(given)
  if (error.code === 'ELOOP')
    return new InputError(`${shownPath} is a link that leads back to itself.`, { cause: error })
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return new InputError(`${shownPath} may not be read.`, {
      hint: 'Change the permissions of its folder.',
      cause: error,
    })
  if (error.code === 'ENAMETOOLONG')
    return new InputError(`${shownPath} is longer than a file name can be.`, { cause: error })
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')
    return new InputError(`${shownPath} cannot be opened: ${error.message}.`, { cause: error })
  const link = await lstat(given).catch(absentAs(undefined))
  if (link?.isSymbolicLink())
    return new InputError(`${shownPath} is a link to a file that is not there.`, { cause: error })
  const near = nearest(basename(given), await readdir(dirname(resolve(given))).catch(absentAs([], ...forbidden)))
  const isAddress = /^(www\.|youtu(be\.com|\.be)\/)/i.test(given)
  const hint = isAddress ? `An address begins with https://, as https://${given}.` : 'Check the path.'
  return new InputError(`There is no file ${shownPath}.`, {
    hint: near ? `Did you mean ${quoteName(near)}?` : hint,
    cause: error,
  })
}
