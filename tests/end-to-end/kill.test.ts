import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longtake } from './longtake.ts'
import { renderTown } from './town-video.ts'

const kills = Number(process.env.LONGTAKE_KILLS ?? 3)

let folder: string
let video: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longtake-kill-'))
  video = join(folder, 'town.mp4')
  await renderTown(video)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function shown(home: string) {
  const { out, err, code } = await longtake(['show', video, '--json'], { home })
  expect(code, err).toBe(0)
  const { evidence, shots, overview } = JSON.parse(out)
  return { evidence, shots, overview }
}

// Each finished stage with the moment it was made.
async function finishedStages(home: string): Promise<Record<string, string>> {
  const names = await readdir(home, { recursive: true })
  const metas = names.filter(name => /stages\/[a-z]+\/[\w-]+\/meta\.json$/.test(name))
  const made = metas.map(async name => [name, JSON.parse(await readFile(join(home, name), 'utf8')).finished])
  return Object.fromEntries(await Promise.all(made))
}

test('kill -9 at any moment of indexing changes nothing of the result, and finished stages are not made again', async () => {
  const whole = join(folder, 'whole')
  const { seconds, code, err } = await longtake(['index', video], { home: whole })
  expect(code, err).toBe(0)
  const expected = await shown(whole)

  const home = join(folder, 'killed')
  for (let kill = 1; kill <= kills; kill++) {
    const killAfter = 300 + ((seconds * 1000 - 300) * kill) / (kills + 1)
    await longtake(['index', video], { home, killAfter })
  }
  const before = await finishedStages(home)
  expect(await shown(home)).toEqual(expected)
  expect(await finishedStages(home)).toEqual(expect.objectContaining(before))
}, 240_000)
