import { describe, expect, test } from 'vitest'
import { changesSince, type FileChange, type WatchedFile } from './changes.ts'
import type { WalkedFile } from './walk.ts'

const whole: WalkedFile = { path: '', bytes: 9, modified: '1', changed: '1', inode: '7', seen: '0', beside: '' }
const seen = (path: string, more: Partial<WalkedFile> = {}): WalkedFile => ({ ...whole, path, ...more })
const files = (...sights: WalkedFile[]) => new Map(sights.map(sight => [sight.path, sight]))
const unread = (...folders: string[]) => new Map(folders.map(folder => [folder, 'away']))

// A history of walks, a second each; what follows from the last one. A file has to stand still for two seconds.
function changesAfter(
  trust: 'all' | 'mtime',
  ...walks: { files: Map<string, WalkedFile>; unread?: Map<string, string> }[]
) {
  let known = new Map<string, WatchedFile>()
  let changes: FileChange[] = []
  walks.forEach((walk, now) => {
    const next = changesSince(known, { unread: new Map(), ...walk }, { now, still: 2, trust })
    known = next.known
    changes = next.changes
  })
  return changes
}

const a = { files: files(seen('/v/a.mp4')) }
const none = { files: files() }
const ready = [{ what: 'ready', path: '/v/a.mp4' }]

describe('what follows from a walk', () => {
  test.each<[string, unknown[], FileChange[]]>([
    ['a new file is not taken at once', [a], []],
    ['nor before it stood still for long enough', [a, a], []],
    ['it is taken when it did', [a, a, a], ready as FileChange[]],
    ['and only once', [a, a, a, a], []],
    ['a file that grows is left', [a, a, { files: files(seen('/v/a.mp4', { bytes: 10 })) }], []],
    [
      'and taken when it has grown to its end',
      [
        a,
        { files: files(seen('/v/a.mp4', { bytes: 10 })) },
        { files: files(seen('/v/a.mp4', { bytes: 10 })) },
        { files: files(seen('/v/a.mp4', { bytes: 10 })) },
      ],
      ready as FileChange[],
    ],
    [
      'one that was written over is taken again, of the same size too',
      [a, a, a, ...Array(3).fill({ files: files(seen('/v/a.mp4', { modified: '2', changed: '2' })) })],
      ready as FileChange[],
    ],
    [
      'so is one that took its place with the same times',
      [a, a, a, ...Array(3).fill({ files: files(seen('/v/a.mp4', { inode: '8', changed: '2' })) })],
      ready as FileChange[],
    ],
    [
      'and one to which subtitles came',
      [a, a, a, ...Array(3).fill({ files: files(seen('/v/a.mp4', { beside: '/v/a.srt 3 1' })) })],
      ready as FileChange[],
    ],
    [
      'a new name of a whole file is no new file',
      [a, a, a, { files: files(seen('/v/b/c.mp4', { changed: '2' })) }],
      [{ what: 'moved', path: '/v/b/c.mp4', from: '/v/a.mp4' }],
    ],
    [
      'a new name of one that was still being copied has to stand still',
      [a, { files: files(seen('/v/c.mp4', { changed: '2' })) }],
      [],
    ],
    ['a removed file is reported', [a, a, a, none], [{ what: 'removed', path: '/v/a.mp4' }]],
    ['one that was never whole is not', [a, none], []],
    ['a file below a folder that cannot be read is not removed', [a, a, a, { ...none, unread: unread('/v') }], []],
    [
      'nor is it new when the folder is back',
      [a, a, a, { ...none, unread: unread('/v') }, { ...none, unread: unread('/v') }, a, a, a],
      [],
    ],
    [
      'a folder whose name only begins alike is another one',
      [a, a, a, { ...none, unread: unread('/v/a') }],
      [{ what: 'removed', path: '/v/a.mp4' }],
    ],
  ])('%s', (_, walks, changes) => {
    expect(changesAfter('all', ...(walks as { files: Map<string, WalkedFile> }[]))).toEqual(changes)
  })

  test('where inodes and change times do not last, size and modification time count', () => {
    const other = { files: files(seen('/v/a.mp4', { inode: '8', changed: '5' })) }
    expect(changesAfter('mtime', a, a, other)).toEqual(ready)
    expect(changesAfter('mtime', a, a, a, other, other, other)).toEqual([])
  })
})
