import { setTimeout as sleep } from 'node:timers/promises'
import { glanceAt, looksSame, type Trust } from '../../media/file/file-look.ts'
import { changesSince, type FileChange, type WatchedFile } from './changes.ts'
import { walker } from './walk.ts'

interface WatchWork {
  folders: readonly string[] // absolute, links resolved
  except: string // the folder of our own results
  every: number // seconds between two walks
  still: number // seconds without a change until a file is whole
  trust: Trust
  signal: AbortSignal
  // 'later': it was not the file's fault, and the next one would meet the same. It is tried again after a pause.
  take(path: string): Promise<'done' | 'later'>
  tell(news: WatchNews): void
}

export type WatchNews =
  | { what: 'watching'; files: number }
  | Exclude<FileChange, { what: 'ready' }>
  | { what: 'unread'; folder: string; why: string }
  | { what: 'back'; folder: string }

const share = 0.05 // of the time, at most, goes into walks: large folders are looked at more rarely
const pauses = { first: 30, max: 600 } // seconds

// Hands over what is in the folders and what comes, one file at a time, until the signal. What has been indexed is not kept here:
// after a restart each file is handed over again, and whoever takes it finds its results.
export async function watchFolders(work: WatchWork): Promise<void> {
  const { every, signal } = work
  const walk = walker(work.folders, work.except)
  const waiting = new Set<string>()
  let files = new Map<string, WatchedFile>()
  let unread: ReadonlyMap<string, string> | undefined
  let pause = 0
  let pausedUntil = 0
  while (!signal.aborted) {
    const began = now()
    const walked = await walk()
    const next = changesSince(files, walked, { ...work, now: now() })
    files = next.known
    if (!unread) work.tell({ what: 'watching', files: walked.files.size })
    tellUnread(work, unread ?? new Map(), walked.unread)
    unread = walked.unread
    for (const change of next.changes) {
      if (change.what !== 'ready') work.tell(change)
      if (change.what !== 'removed') waiting.add(change.path)
    }
    for (const path of waiting) if (!files.get(path)?.still) waiting.delete(path)

    const nextWalk = now() + Math.max(every, (now() - began) / share)
    while (!signal.aborted && now() < nextWalk && now() >= pausedUntil) {
      const [path] = waiting
      if (path === undefined) break
      const sight = files.get(path)?.sight
      const look = await glanceAt(path).catch(() => undefined)
      if (!sight || !look || !looksSame(sight, look, work.trust)) {
        waiting.delete(path) // the next walk sees what became of it
        continue
      }
      const outcome = await work.take(path)
      if (outcome === 'done') waiting.delete(path)
      pause = outcome === 'done' ? 0 : Math.min(pauses.max, Math.max(pauses.first, pause * 2))
      pausedUntil = now() + pause
    }
    await sleep(Math.max(0, nextWalk - now()) * 1000, undefined, { signal }).catch(() => {})
  }
}

function tellUnread({ tell }: WatchWork, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  for (const [folder, why] of after) if (!before.has(folder)) tell({ what: 'unread', folder, why })
  for (const folder of before.keys()) if (!after.has(folder)) tell({ what: 'back', folder })
}

// A clock that nobody sets.
function now(): number {
  return performance.now() / 1000
}
