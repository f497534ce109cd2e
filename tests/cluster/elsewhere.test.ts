import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Video } from '../../src/core/video.ts'
import { contentId } from '../../src/media/file/content-id.ts'
import { locateVideo, type VideosElsewhere } from '../../src/runtime/index/locate-video.ts'
import { openLibrary } from '../../src/store/library/library.ts'
import { someVideo } from '../support/shared-library.ts'

let root: string
let video: Video
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'longtake-elsewhere-'))
  const path = join(root, 'talk.mp4')
  await writeFile(path, Buffer.alloc(50_000, 5))
  video = someVideo(await contentId(path, 50_000), { path, bytes: 50_000, name: 'talk.mp4', sidecars: [] })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const { signal } = new AbortController()
const locate = (elsewhere?: Pick<VideosElsewhere, 'find' | 'fetch'>) =>
  locateVideo(openLibrary(join(root, 'home')), video.id, {
    trust: 'all',
    maxHours: 1,
    watch: () => {},
    signal,
    elsewhere,
  })
const knows = async (id: string) => (id === video.id ? { ...video, path: '' } : undefined)

test('a video that only others know is known here from then on, without its file', async () => {
  await expect(locate()).rejects.toThrow()
  expect(await locate({ find: knows })).toMatchObject({ id: video.id, name: 'talk.mp4', path: '' })
  expect(await locate()).toMatchObject({ id: video.id, path: '' })
})

test('its file is fetched where it is needed, once, and counts as the one that was indexed', async () => {
  const copy = join(root, 'fetched.mp4')
  let fetched = 0
  const fetch = async () => {
    fetched++
    await cp(video.path, copy)
    return copy
  }
  expect(await locate({ find: knows, fetch })).toMatchObject({ path: copy })
  expect(await locate({ find: knows, fetch })).toMatchObject({ path: copy })
  expect(fetched).toBe(1)
  await writeFile(copy, Buffer.alloc(50_000, 6))
  await expect(locate({ find: knows, fetch })).rejects.toThrow('has changed since it was indexed')
})

test('a video that is known and whose file nobody has stays as it is', async () => {
  await locate({ find: knows })
  expect(await locate({ find: knows, fetch: async () => undefined })).toMatchObject({ path: '' })
})

test('nobody else is asked where the file is here', async () => {
  await openLibrary(join(root, 'home')).save(video)
  const refuse = async () => {
    throw new Error('asked')
  }
  // An index of an earlier release without a record of its content still has to be compared.
  await expect(locate({ find: refuse, fetch: refuse })).resolves.toMatchObject({ path: video.path })
})
