import { access, constants, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { absentAs, errorCode } from '../core/errors.ts'
import { formatTime } from '../core/time.ts'
import { ensureFolder, fileModes } from './durable.ts'
import { openSqlite } from './sqlite.ts'
import { onDisk } from './storage-error.ts'
import { sweepTemporary } from './temporary.ts'

// What the holder of a lock reports to those who wait.
const LockProgress = z.object({
  pid: z.number(),
  since: z.string(), // ISO date
  text: z.string(), // "transcribe"
  done: z.number().optional(), // seconds of media
  total: z.number().optional(),
})
type LockProgress = z.infer<typeof LockProgress>

type Progress = Pick<LockProgress, 'text' | 'done' | 'total'>

export interface HeldLock {
  report(progress: Progress): void // written at most once a second
}

interface LockOptions {
  // When the wait begins, then whenever the holder has got further: in words, and as data.
  onWait?(said: string | undefined, holder: LockProgress | undefined): void
  signal?: AbortSignal
}

// Runs `work` as the only writer of this folder on this machine. The lock is a transaction of the operating system's keeping:
// when the holder dies, however it dies, the next one has it at once. Not for network disks.
export async function withLock<T>(
  folder: string,
  work: (held: HeldLock) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = await waitForLock(folder, options)
  const board = progressBoard(folder)
  try {
    await onDisk(`sweep ${folder}`, () => sweepTemporary(folder))
    return await work(board)
  } finally {
    await board.clear()
    lock.release()
  }
}

export interface Lock {
  release(): void
}

// The lock if it is free now.
export async function tryLock(folder: string): Promise<Lock | undefined> {
  // The lock file is never removed, also not by prune: a process that waits has it open, and would wait at a ghost.
  const file = join(folder, 'lock.sqlite')
  const database = await onDisk(`lock ${folder}`, async () => {
    await ensureFolder(folder)
    await emptyIfForeign(file)
    const opened = await openSqlite(file, { mode: 'write', waitMilliseconds: 0 })
    try {
      // On a file that may only be read, SQLite would begin without taking the lock.
      await access(file, constants.W_OK)
      opened.exec('BEGIN IMMEDIATE')
      return opened
    } catch (error) {
      opened.close()
      if (errorCode(error)?.startsWith('SQLITE_BUSY')) return undefined
      throw error
    }
  })
  return database && { release: () => void database.close() }
}

// Nothing is ever written to the lock file. Bytes in it are damage, over which SQLite would refuse the lock for ever; the file
// itself stays, as others may have it open.
async function emptyIfForeign(file: string): Promise<void> {
  const stats = await stat(file).catch(absentAs(undefined))
  if (stats && stats.size > 0) await truncate(file)
}

async function waitForLock(folder: string, { onWait, signal }: LockOptions): Promise<Lock> {
  let lastHolder: string | undefined
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    signal?.throwIfAborted()
    const lock = await tryLock(folder)
    if (lock) return lock
    const holder = await readProgress(folder)
    const text = JSON.stringify(holder ?? null)
    if (text !== lastHolder) onWait?.(holder && describeProgress(holder), holder)
    lastHolder = text
    await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

function describeProgress({ pid, text, done, total }: LockProgress): string {
  const far = done === undefined ? '' : ` ${formatTime(done)}${total === undefined ? '' : ` of ${formatTime(total)}`}`
  return `${text}${far} (process ${pid})`
}

// What the holder of this folder's lock last reported.
export async function readProgress(folder: string): Promise<LockProgress | undefined> {
  try {
    return LockProgress.parse(JSON.parse(await readFile(join(folder, 'progress.json'), 'utf8')))
  } catch {
    return undefined // nobody holds it, or nothing was reported yet
  }
}

// Progress is only for those who wait: when it cannot be written, the work itself fails with the reason.
function progressBoard(folder: string) {
  const file = join(folder, 'progress.json')
  const since = new Date().toISOString()
  let next: Progress | undefined
  let timer: NodeJS.Timeout | undefined
  let writing = write({ text: 'starting' })

  async function write(progress: Progress) {
    try {
      await writeFile(`${file}.new`, JSON.stringify({ pid: process.pid, since, ...progress }), {
        mode: fileModes.private,
      })
      await rename(`${file}.new`, file)
    } catch {}
  }

  const flush = () => {
    timer = undefined
    if (!next) return
    const progress = next
    next = undefined
    writing = writing.then(() => write(progress))
    timer = setTimeout(flush, 1000).unref()
  }

  return {
    report(progress: Progress) {
      next = progress
      if (!timer) flush()
    },
    async clear() {
      clearTimeout(timer)
      next = undefined
      await writing
      await rm(file, { force: true }).catch(() => {})
    },
  }
}
