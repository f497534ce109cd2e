import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadRecipe } from '../../eval/make/load-recipe.ts'
import { replayedSources } from '../../eval/make/source/replay-source.ts'
import { InputError } from '../../src/core/errors.ts'

let folder: string
let place: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-replay-'))
  place = join(folder, 'set', 'cg_videos_720p', 'talk.mp4')
  mkdirSync(join(folder, 'set', 'cg_videos_720p'), { recursive: true })
  const video = { name: 'talk.mp4', bytes: 1, sha256: 'x', duration: 60 }
  writeFileSync(join(folder, 'set', 'videos.json'), JSON.stringify([video]))
})
afterEach(() => rmSync(folder, { recursive: true }))

const replay = async () => replayedSources(join(folder, 'set'), join(folder, 'again'), await loadRecipe('cg-bench'))

test('a set whose videos are there is replayed from them', async () => {
  writeFileSync(join(folder, 'moved.mp4'), 'a')
  symlinkSync('../../moved.mp4', place)
  expect((await replay()).videos).toMatchObject([{ id: 'talk', path: expect.stringMatching(/moved\.mp4$/) }])
})

test.each([
  ['is missing', () => {}, 'talk.mp4 is not a file'],
  ['leads to a file that has moved', () => symlinkSync('../../moved.mp4', place), 'moved.mp4, which is not a file'],
  ['is a folder', () => mkdirSync(place), 'talk.mp4 is not a file'],
])('a replay whose video %s is refused with the path and the fix', async (_, put, names) => {
  put()
  const error = await replay().catch(thrown => thrown)
  expect(error).toBeInstanceOf(InputError)
  expect(error.message).toContain(join(folder, 'set', 'cg_videos_720p'))
  expect(error.message).toContain(names)
  expect(error.hint).toContain('Put it there again')
})
