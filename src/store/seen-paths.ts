import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { absentAs, forbidden } from '../core/errors.ts'

// How each path looked: inode, size and times, or nothing if there was none.
export type SeenPaths = Map<string, string>

// Call it before a path is read: what changes afterwards is then found out.
export async function see(seen: SeenPaths | undefined, ...paths: readonly string[]): Promise<void> {
  if (seen) await Promise.all(paths.map(async path => seen.set(path, formatLook(await readStat(path)))))
}

export async function looksTheSame(seen: ReadonlyMap<string, string>): Promise<boolean> {
  const same = await Promise.all([...seen].map(async ([path, look]) => formatLook(await readStat(path)) === look))
  return !same.includes(false)
}

export function formatLook(stats: BigIntStats | undefined): string {
  if (!stats) return ''
  const { ino, size, mtimeNs, ctimeNs } = stats
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

// A change within the same tick of the file system's clock leaves the times as they are. Some count in two seconds.
export function isPathSettled(seen: ReadonlyMap<string, string>): boolean {
  const latest = BigInt(Date.now() - 2_000) * 1_000_000n
  return [...seen.values()].every(
    look =>
      look === '' ||
      look
        .split(' ')
        .slice(2)
        .every(time => BigInt(time) < latest),
  )
}

function readStat(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(absentAs(undefined, ...forbidden, 'ELOOP'))
}
