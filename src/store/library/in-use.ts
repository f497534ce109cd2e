import { rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureFolder, fileModes } from '../durable.ts'
import { tryLock } from '../lock.ts'
import { listNames } from '../read-file.ts'
import { onDisk } from '../storage-error.ts'
import { isTemporary, sweepAbandoned, temporaryPath } from '../temporary.ts'

// Below a video's folder: what was pulled of it from a store, and marks of the processes that use it now.
export const pulledFolder = 'pulled'

interface Mark {
  users: number
  path: Promise<string>
  beat: NodeJS.Timeout
}

const marks = new Map<string, Mark>()
const beatEvery = 600_000 // milliseconds: a mark of another container counts for an hour after its last sign

// This process uses the video until the returned function is called: nothing of it that was pulled is removed to make room.
export async function useVideo(videoFolder: string): Promise<() => Promise<void>> {
  const currentMark = marks.get(videoFolder)
  const mark = currentMark ?? begin(videoFolder)
  if (!currentMark) marks.set(videoFolder, mark)
  mark.users++
  let hasLeft = false
  const leave = async () => {
    if (hasLeft) return
    hasLeft = true
    if (--mark.users > 0) return
    if (marks.get(videoFolder) === mark) marks.delete(videoFolder)
    clearInterval(mark.beat)
    await mark.path.then(path => rm(path, { force: true })).catch(() => {}) // it counts for nothing once we have ended
  }
  await mark.path.catch(async error => {
    await leave()
    throw error
  })
  return leave
}

function begin(videoFolder: string): Mark {
  const folder = join(videoFolder, pulledFolder)
  const path = locked(folder, async () => {
    const mark = temporaryPath(folder)
    await writeFile(mark, '', { mode: fileModes.private })
    return mark
  })
  const beat = setInterval(
    () => void path.then(path => utimes(path, new Date(), new Date())).catch(() => {}),
    beatEvery,
  )
  return { users: 0, path, beat: beat.unref() }
}

// Runs `work` where nobody uses the video, so that nobody begins to meanwhile; false where somebody does.
export async function ifUnused(videoFolder: string, work: () => Promise<void>): Promise<boolean> {
  const folder = join(videoFolder, pulledFolder)
  const lock = await tryLock(folder)
  if (!lock) return false
  try {
    if (await isUsed(videoFolder)) return false
    await work()
    return true
  } finally {
    lock.release()
  }
}

export async function isUsed(videoFolder: string): Promise<boolean> {
  const folder = join(videoFolder, pulledFolder)
  const swept = (await sweepAbandoned(folder)).map(path => basename(path))
  return (await listNames(folder)).some(name => isTemporary(name) && !swept.includes(name))
}

// The lock is held for moments only.
async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  return onDisk(`mark what is used in ${folder}`, async () => {
    await ensureFolder(folder)
    for (;;) {
      const lock = await tryLock(folder)
      if (!lock) await sleep(20)
      else
        try {
          return await work()
        } finally {
          lock.release()
        }
    }
  })
}
