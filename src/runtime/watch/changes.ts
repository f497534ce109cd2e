import { sep } from 'node:path'
import { looksSame, type Trust } from '../../media/file/file-look.ts'
import type { Walk, WalkedFile } from './walk.ts'

export interface WatchedFile {
  sight: WalkedFile
  since: number // seconds of the clock: it has looked like this since then
  still: boolean // long enough to be taken for whole
}

export type FileChange =
  | { what: 'ready'; path: string } // new, or changed, and written to no more
  | { what: 'moved'; path: string; from: string }
  | { what: 'removed'; path: string }

// What a walk has found against what was known, and what follows from it. Pure.
export function changesSince(
  known: ReadonlyMap<string, WatchedFile>,
  { files, unread }: Walk,
  { now, still, trust }: { now: number; still: number; trust: Trust },
): { known: Map<string, WatchedFile>; changes: FileChange[] } {
  const next = new Map<string, WatchedFile>()
  const changes: FileChange[] = []
  const isUnread = (path: string) =>
    [...unread.keys()].some(folder => path.startsWith(folder.endsWith(sep) ? folder : folder + sep))
  const gone = new Map<string, string>()
  for (const [path, was] of known)
    if (!files.has(path)) {
      if (isUnread(path)) next.set(path, was)
      else if (was.still) gone.set(identifyContent(was.sight), path)
    }

  for (const [path, sight] of files) {
    const was = known.get(path)
    const from = gone.get(identifyContent(sight))
    if (was && isSame(was.sight, sight, trust)) {
      const isStill = was.still || now - was.since >= still
      next.set(path, { sight, since: was.since, still: isStill })
      if (isStill && !was.still) changes.push({ what: 'ready', path })
    } else if (!was && from !== undefined) {
      gone.delete(identifyContent(sight))
      next.set(path, { sight, since: now, still: true })
      changes.push({ what: 'moved', path, from })
    } else next.set(path, { sight, since: now, still: false })
  }
  for (const path of gone.values()) changes.push({ what: 'removed', path })
  return { known: next, changes }
}

// A new name changes the change time, and nothing else.
function identifyContent({ inode, bytes, modified }: WalkedFile): string {
  return `${inode} ${bytes} ${modified}`
}

function isSame(a: WalkedFile, b: WalkedFile, trust: Trust): boolean {
  return a.beside === b.beside && looksSame(a, b, trust)
}
