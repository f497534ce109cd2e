import { mkdtemp, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Video } from '../../core/video.ts'
import { openLibrary } from './library.ts'

const talk: Video = {
  id: 'a1b2c3',
  path: '/films/talk.mp4',
  name: 'talk.mp4',
  bytes: 1000,
  container: 'mov',
  start: 0,
  duration: 60,
  otherSounds: [],
  subtitles: [],
  sidecars: [],
  notes: [],
}

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longtake-library-'))
})

describe('a library', () => {
  test('gives back the video that was saved', async () => {
    await openLibrary(home).save(talk)
    expect(await openLibrary(home).find('a1b2c3')).toEqual(talk)
    expect(await openLibrary(home).find('ffff')).toBeUndefined()
  })

  test('lists videos by name, and none before the first is saved', async () => {
    const library = openLibrary(home)
    expect(await library.list()).toEqual([])
    await library.save({ ...talk, id: 'b2', name: 'zoo.mkv' })
    await library.save(talk)
    expect((await library.list()).map(video => video.name)).toEqual(['talk.mp4', 'zoo.mkv'])
  })

  test('keeps one record when a file was moved: the newer path', async () => {
    const library = openLibrary(home)
    await library.save(talk)
    await library.save({ ...talk, path: '/other/talk.mp4' })
    expect((await library.list()).map(video => video.path)).toEqual(['/other/talk.mp4'])
  })

  test('keeps the address of a video without its secrets', async () => {
    const library = openLibrary(home)
    await library.save({ ...talk, address: 'https://ada:pw@host/a.mp4?key=t0p' })
    const address = 'https://host/a.mp4?key=redacted'
    expect(await library.find('a1b2c3')).toEqual({ ...talk, address })
    expect(await readFile(join(home, 'library', 'a1b2c3', 'video.json'), 'utf8')).not.toMatch(/ada|pw|t0p/)
  })

  test('saving again what is known only marks the video as used', async () => {
    const library = openLibrary(home)
    await library.save(talk)
    const file = join(library.videoFolder('a1b2c3'), 'video.json')
    const before = await readFile(file, 'utf8')
    await utimes(file, 1000, 1000)
    await library.save(talk)
    expect(await readFile(file, 'utf8')).toBe(before)
    expect((await stat(file)).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
  })

  test('never leaves its folder, whatever the id says', async () => {
    const library = openLibrary(home)
    for (const id of ['../../etc', '/etc', 'a/b', '..', '.', '', 'a\0b', 'C:\\x', 'x'.repeat(200)]) {
      expect(() => library.videoFolder(id)).toThrow('is not a valid video id')
      expect(await library.find(id)).toBeUndefined()
    }
  })

  test('fault 31: refuses a record of a newer longtake and leaves it as it is', async () => {
    const library = openLibrary(home)
    await library.save(talk)
    const file = join(library.videoFolder('a1b2c3'), 'video.json')
    const newer = JSON.stringify({ format: 2, shape: 'unknown' })
    await writeFile(file, newer)
    await expect(library.find('a1b2c3')).rejects.toThrow(/newer longtake \(format 2; this one reads up to 1\)/)
    await expect(library.save(talk)).rejects.toThrow(/newer longtake/)
    expect(await readFile(file, 'utf8')).toBe(newer)
  })

  test.each(['', '{"format":1,"id":"a1', '{"format":1}', '\0\0\0'])('forgets a damaged record: %j', async damage => {
    const library = openLibrary(home)
    await library.save(talk)
    await writeFile(join(library.videoFolder('a1b2c3'), 'video.json'), damage)
    expect(await library.find('a1b2c3')).toBeUndefined()
    await library.save(talk)
    expect(await library.find('a1b2c3')).toEqual(talk)
  })
})
