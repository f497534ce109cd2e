import type { Stats } from 'node:fs'

// Why a file or folder does not count as the user's own: somebody else owns it or can write to it. Windows has no such modes.
export function ownerFault(path: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): string | undefined {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  if (uid !== user && uid !== 0) return `${path} belongs to another user (uid ${uid})`
  // A group of the user's own, as many systems make one per user, has no other members.
  const ownGroup = gid === uid && gid === process.getgid?.()
  if ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || ownGroup)) return undefined
  return `other users can write to ${path} (mode ${(mode & 0o7777).toString(8)}; "chmod go-w" closes it)`
}
