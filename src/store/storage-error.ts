import { errorCode, errorText, LongtakeError, StorageError } from '../core/errors.ts'

const room = 'Free some space, or set LONGTAKE_HOME to a folder on another disk, and run the same command again.'
const elsewhere = 'Set LONGTAKE_HOME to a folder that can be written.'
const handles = 'Raise the limit, as "ulimit -n 1024", and run the same command again; finished work is kept.'
const verify = 'Run "longtake config cache verify": it moves damaged results away, and the next command rebuilds them.'
const again = 'Run the same command again; finished work is kept.'

// What each code of the system or of SQLite means, and the fix.
const faults: Record<string, [sentence: string, hint: string]> = {
  ENOSPC: ['the disk is full', room],
  EDQUOT: ['the disk quota is used up', room],
  EFBIG: ['the file would be larger than this disk or this process may write', room],
  ENOENT: ['it is not there', 'Index the video again: what is whole is kept.'],
  EACCES: ['this user may not write there', elsewhere],
  EPERM: ['this user may not write there', elsewhere],
  EROFS: ['the disk is mounted read-only', elsewhere],
  EIO: ['the disk reported a fault', again],
  EMFILE: ['too many files are open', handles],
  ENFILE: ['the system has too many files open', handles],
  ENOTDIR: ['a file lies where a folder is needed', elsewhere],
  EEXIST: ['a file lies where a folder is needed', elsewhere],
  EISDIR: ['a folder lies where a file is needed', elsewhere],
  ELOOP: ['it is a link that leads to itself', 'Remove the link.'],
  ENAMETOOLONG: ['the path is too long for this disk', elsewhere],
  SQLITE_FULL: ['the disk is full', room],
  SQLITE_READONLY: ['this user may not write there', elsewhere],
  SQLITE_CANTOPEN: ['the file cannot be opened or made there', elsewhere],
  SQLITE_IOERR: ['the disk reported a fault', again],
  SQLITE_CORRUPT: ['the file is damaged', verify],
  SQLITE_NOTADB: ['the file is damaged', verify],
}

// The reason of a storage failure in a sentence; any other error is returned as it is.
export function asStorageError(error: unknown, doing: string): unknown {
  if (error instanceof LongtakeError) return error
  const fault = findFault(error)
  if (!fault) return error
  const [sentence, hint] = fault
  return new StorageError(`Could not ${doing}: ${sentence} (${errorText(error)}).`, { hint, cause: error })
}

// Runs `work` and turns storage failures into a StorageError.
export async function onDisk<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStorageError(error, doing)
  }
}

// The same for an error without a sentence of its own, by the path and the system call that it names.
export function asSystemError(error: unknown): unknown {
  const { path, syscall } = (error ?? {}) as { path?: unknown; syscall?: unknown }
  return typeof path === 'string' && typeof syscall === 'string' ? asStorageError(error, `${syscall} ${path}`) : error
}

// SQLite adds what it was doing to its codes: SQLITE_IOERR_WRITE is an SQLITE_IOERR.
function findFault(error: unknown) {
  const code = errorCode(error)
  return code && Object.entries(faults).find(([known]) => code === known || code.startsWith(`${known}_`))?.[1]
}
