import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { BackendError, errorText, type LongtakeError, StorageError } from '../errors.ts'

interface Refusal {
  sentence: string
  hint: string
  kind: 'memory' | 'files' | 'processes' | 'disk' | 'depth'
}

const memory: Refusal = {
  kind: 'memory',
  sentence: 'The machine has no memory left for this',
  hint: 'Close other programs, lift the limit (ulimit -v, the memory of the container), or let less run at once: --max-memory 500MB.',
}
const files: Refusal = {
  kind: 'files',
  sentence: 'Too many files are open',
  hint: 'Raise the limit, as "ulimit -n 1024", and run the same command again.',
}
const processes: Refusal = {
  kind: 'processes',
  sentence: 'No further process or thread may be started',
  hint: 'Raise the limit (ulimit -u, the pids of the container), or close other programs.',
}
const disk: Refusal = {
  kind: 'disk',
  sentence: 'The disk reported a fault',
  hint: 'Check the disk (dmesg, smartctl); with LONGTAKE_HOME the data folder can lie on another one.',
}
const full: Refusal = {
  kind: 'disk',
  sentence: 'The disk is full',
  hint: 'Make room ("longtake config cache prune"), then run the same command again.',
}

const byCode: Record<string, Refusal> = {
  ENOMEM: memory,
  ERR_WORKER_OUT_OF_MEMORY: memory,
  ERR_MEMORY_ALLOCATION_FAILED: memory,
  ERR_BUFFER_TOO_LARGE: memory,
  SQLITE_NOMEM: memory,
  EMFILE: files,
  ENFILE: files,
  EIO: disk,
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: {
    ...full,
    sentence: 'A file would be larger than this disk or this process may write',
    hint: 'Raise the limit ("ulimit -f unlimited"), or set LONGTAKE_HOME to a folder on another disk.',
  },
  EROFS: {
    kind: 'disk',
    sentence: 'The disk is mounted read-only',
    hint: 'Set LONGTAKE_HOME to a folder that can be written.',
  },
  EAGAIN: processes,
  ERR_WORKER_INIT_FAILED: {
    ...processes,
    hint: 'Raise the limits (ulimit -u for threads, ulimit -n for open files), or close other programs.',
  },
  E2BIG: {
    kind: 'processes',
    sentence: 'The arguments of a program are longer than this system allows',
    hint: 'Raise the limit of the stack ("ulimit -s unlimited"), which bounds them.',
  },
}

// V8, WebAssembly, libvips and the C++ libraries report these without a code.
const byText: [RegExp, Refusal][] = [
  [/array buffer allocation failed|allocation of .* failed|failed to allocate/i, memory],
  [/webassembly.*(out of memory|cannot allocate|could not allocate)|cannot enlarge memory|aborted\(oom\)/i, memory],
  [/\bbad_?alloc\b|\bout of memory\b|cannot allocate memory|insufficient memory|invalid array buffer length/i, memory],
  [/failed to map segment from shared object|pthread_create failed.*12/i, memory],
  [/resource temporarily unavailable|pthread_create/i, processes],
  [
    /maximum call stack size exceeded/i,
    {
      kind: 'depth',
      sentence: 'Something that was read is nested too deeply',
      hint: 'If it is a reply of a model or a file of yours, it is damaged or hostile; another one works.',
    },
  ],
]

// What the machine refused us (memory, files, processes, the disk), as a sentence with its hint; undefined if the error, and what
// caused it, is something else.
export function resourceFault(error: unknown, doing?: string): LongtakeError | undefined {
  const refused = findRefusal(error)
  if (!refused) return undefined
  const { refusal, cause } = refused
  const message = `${refusal.sentence}${doing ? `: ${doing}` : ''} (${shortText(cause)}).`
  const options = { hint: refusal.hint, cause: error }
  return refusal.kind === 'disk' || refusal.kind === 'files'
    ? new StorageError(message, options)
    : new BackendError(message, { ...options, retryable: refusal.kind !== 'depth' })
}

// True where the next piece of work may well succeed: one backend asked for too much. A full disk stops everything.
export function hitsOneBackend(error: unknown): boolean {
  const kind = findRefusal(error)?.refusal.kind
  return kind !== undefined && kind !== 'disk'
}

function findRefusal(error: unknown, depth = 0): { refusal: Refusal; cause: unknown } | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const named = Object.entries(byCode).find(([known]) => code === known || code.startsWith(`${known}_`))
  if (named) return { refusal: named[1], cause: error }
  if (code.endsWith('MODULE_NOT_FOUND') && moduleIsThere(errorText(error)))
    return { refusal: files, cause: new Error(`EMFILE: ${errorText(error)}`, { cause: error }) }
  const text = errorText(error)
  const match = byText.find(([pattern]) => pattern.test(text.slice(0, 2000)))
  if (match) return { refusal: match[1], cause: error }
  return error instanceof Error && error.cause !== undefined && depth < 8
    ? findRefusal(error.cause, depth + 1)
    : undefined
}

// If no file handle is left to open a package.json, Node reports the package as missing, and remembers that answer.
function moduleIsThere(text: string): boolean {
  const path = /^Cannot find (?:package|module) '([^']+)'/.exec(text)?.[1]
  if (!path || !isAbsolute(path)) return false
  if (existsSync(path)) return true
  try {
    const { main = 'index.js' } = JSON.parse(readFileSync(join(dirname(path), 'package.json'), 'utf8'))
    return existsSync(join(dirname(path), main))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EMFILE'
  }
}

function shortText(error: unknown): string {
  const [line = ''] = errorText(error).split('\n')
  return line.replace(/\.+$/, '').slice(0, 200)
}
