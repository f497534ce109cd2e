import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweepAbandoned, sweepTemporary, temporaryPath } from './temporary.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-temporary-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

// The name that a process which has ended meanwhile would have given.
function ofEndedProcess(): string {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  return temporaryPath(folder).replace(`-${process.pid}-`, `-${pid}-`)
}

test.each([sweepAbandoned, sweepTemporary])('%o takes a file of a process that has ended at once', async sweep => {
  const file = ofEndedProcess()
  await writeFile(file, 'half')
  expect(await sweep(folder)).toEqual([file])
  expect(await readdir(folder)).toEqual([])
})

test('a file of a running process stays, and one of another machine until it is an hour old', async () => {
  const ours = temporaryPath(folder)
  const theirs = join(folder, basename(ofEndedProcess()).replace(/-[0-9a-f]{8}-/, '-00000000-'))
  for (const file of [ours, theirs]) await writeFile(file, 'half')
  expect(await sweepAbandoned(folder)).toEqual([])
  const twoHoursAgo = new Date(Date.now() - 7_200_000)
  for (const file of [ours, theirs]) await utimes(file, twoHoursAgo, twoHoursAgo) // as where this process's clock jumped
  expect(await sweepAbandoned(folder)).toEqual([theirs])
})

test('a folder of a running process stays where others may work', async () => {
  await mkdir(temporaryPath(folder))
  expect(await sweepAbandoned(folder)).toEqual([])
})

test('files with other names are never touched, also old ones', async () => {
  const kept = join(folder, 'video.json')
  await writeFile(kept, '{}')
  await utimes(kept, new Date(0), new Date(0))
  await sweepAbandoned(folder)
  await sweepTemporary(folder)
  expect(await readdir(folder)).toEqual(['video.json'])
})
