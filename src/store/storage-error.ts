import { errorCode, errorText, LongtakeError, StorageError } from '../core/errors.ts'

const sentences: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than this disk or this process may write',
  ENOENT: 'it is not there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is mounted read-only',
  EIO: 'the disk reported a fault',
  EMFILE: 'too many files are open',
  ENFILE: 'the system has too many files open',
  ENOTDIR: 'a file lies where a folder is needed',
  EISDIR: 'a folder lies where a file is needed',
  ENAMETOOLONG: 'the path is too long for this disk',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'this user may not write there',
  SQLITE_CANTOPEN: 'the file cannot be opened or made there',
  SQLITE_IOERR: 'the disk reported a fault',
  SQLITE_CORRUPT: 'the file is damaged',
  SQLITE_NOTADB: 'the file is damaged',
}

const full = 'Free some space, or set LONGTAKE_HOME to a folder on another disk, and run the same command again.'
const locked = 'Set LONGTAKE_HOME to a folder that can be written.'
const handles = 'Raise the limit, as "ulimit -n 1024", and run the same command again; finished work is kept.'
const hints: Record<string, string> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  SQLITE_FULL: full,
  EMFILE: handles,
  ENFILE: handles,
  ENOENT: 'Index the video again: what is whole is kept.',
  EACCES: locked,
  ENOTDIR: locked,
  EISDIR: locked,
  ENAMETOOLONG: locked,
  EPERM: locked,
  EROFS: locked,
  SQLITE_READONLY: locked,
  SQLITE_CANTOPEN: locked,
  SQLITE_CORRUPT: 'Run "longtake cache verify": it moves damaged results away, and the next command rebuilds them.',
  SQLITE_NOTADB: 'Run "longtake cache verify": it moves damaged results away, and the next command rebuilds them.',
}

// Says in a sentence why the disk refused; anything that is not the disk's doing comes back as it was.
export function asStorageError(error: unknown, doing: string): unknown {
  if (error instanceof LongtakeError) return error
  const code = diskCode(error)
  if (!code) return error
  return new StorageError(`Could not ${doing}: ${sentences[code]} (${errorText(error)}).`, {
    hint: hints[code] ?? 'Run the same command again; finished work is kept.',
    cause: error,
  })
}

// Runs `work` and turns what the disk refuses into a StorageError.
export async function onDisk<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asStorageError(error, doing)
  }
}

// The same for what nobody has put into words, by the path and the call that the system names.
export function asSystemError(error: unknown): unknown {
  const { path, syscall } = (error ?? {}) as { path?: unknown; syscall?: unknown }
  return typeof path === 'string' && typeof syscall === 'string' ? asStorageError(error, `${syscall} ${path}`) : error
}

// SQLite adds what it was doing to its codes: SQLITE_IOERR_WRITE is an SQLITE_IOERR.
function diskCode(error: unknown): string | undefined {
  const code = errorCode(error)
  return code && Object.keys(sentences).find(known => code === known || code.startsWith(`${known}_`))
}
