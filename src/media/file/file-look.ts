import type { BigIntStats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

// What the file system says of a file: as long as nothing of it changes, nobody has written to the file. Nanoseconds, as text.
export interface FileLook {
  path: string // absolute, links resolved
  bytes: number
  modified: string // mtime: any program can set it
  changed: string // ctime: the system sets it with every change, of the mtime and the name too
  inode: string
  seen: string // when we looked, by our clock
}

// Opened and not only asked for: network disks then ask their server again.
export async function lookAt(path: string): Promise<FileLook> {
  await using file = await open(path, 'r')
  const seen = Date.now()
  return buildLook(path, await file.stat({ bigint: true }), seen)
}

// Not opened: for a walk over many files, of which most are as they were. Undefined if it is not a regular file.
export async function glanceAt(path: string): Promise<FileLook | undefined> {
  const seen = Date.now()
  const stats = await stat(path, { bigint: true })
  return stats.isFile() ? buildLook(path, stats, seen) : undefined
}

function buildLook(path: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats, at: number): FileLook {
  const seen = String(BigInt(at) * 1_000_000n)
  return { path, bytes: Number(size), modified: `${mtimeNs}`, changed: `${ctimeNs}`, inode: `${ino}`, seen }
}

// `mtime`: for disks whose inodes and change times do not last, as those of some network shares and of FAT: only path, size and
// modification time are compared then.
export type Trust = 'all' | 'mtime'

// Whether the file still is what it was.
export function looksSame(a: FileLook, b: FileLook, trust: Trust): boolean {
  const same = a.path === b.path && a.bytes === b.bytes && a.modified === b.modified
  return same && (trust === 'mtime' || (a.changed === b.changed && a.inode === b.inode))
}

// Whether `looksSame` can be believed of a file that was read right after this look. A write within the same tick of the
// file system's clock leaves the times as they are: the change must be older than a tick.
export function isSettledLook(look: FileLook, trust: Trust): boolean {
  return unsettledFor(look, trust) <= 0n
}

// Waits until it is, where that is soon.
export async function waitUntilSettled(path: string, trust: Trust, signal: AbortSignal): Promise<FileLook> {
  for (;;) {
    const look = await lookAt(path)
    const wait = unsettledFor(look, trust)
    if (wait <= 0n || wait > wholeSecondTick) return look
    await sleep(Math.ceil(Number(wait) / 1e6), undefined, { signal })
  }
}

const fineTick = 100_000_000n
const wholeSecondTick = 2_000_000_000n // FAT counts in two seconds, others in one

function unsettledFor({ modified, changed, seen }: FileLook, trust: Trust): bigint {
  const time = BigInt(trust === 'mtime' ? modified : changed)
  return time + (time % 1_000_000_000n === 0n ? wholeSecondTick : fineTick) - BigInt(seen)
}
