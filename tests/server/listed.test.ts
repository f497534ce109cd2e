import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexLister, indexVersion, type Listed } from '../../apps/serve/work/videos/listed-index.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { Video } from '../../src/core/video.ts'
import { finishedIndex } from '../../src/runtime/index/finished-index.ts'
import { locateVideo } from '../../src/runtime/index/locate-video.ts'
import { filePolicy } from '../../src/runtime/index/plan-stages.ts'
import { createRuntime, type LocalRuntime } from '../../src/runtime/runtime.ts'
import { forgetVideo } from '../../src/store/library/cache.ts'
import { h264, mediaFolder, picture, tone } from '../media-fixtures.ts'
import { copyVideo } from '../support/many-videos.ts'

// What a list keeps of each video is what a fresh look finds, whoever has changed it.

const { path: place, ffmpeg, remove } = mediaFolder()
const folder = place('')
const home = join(folder, 'home')
const library = join(folder, 'videos')
const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')
let runtime: LocalRuntime
let list: (video: Video) => Promise<Listed>

const work = () => ({
  ...{ library: runtime.library, models: runtime.models, settings: runtime.settings.index },
  signal: new AbortController().signal,
})
const named = async (name: string): Promise<Video> => {
  const found = (await runtime.library.list()).find(video => video.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}
const stageFile = ({ id }: Video, stage: string, file = ''): string => {
  const of = join(home, 'library', id, 'stages', stage)
  return join(of, readdirSync(of)[0] ?? '', file)
}
const longtake = (...args: string[]) =>
  execFileSync(process.execPath, [bin, ...args], { env: { ...process.env, LONGTAKE_HOME: home }, stdio: 'pipe' })

// What each does to a video of its own, and what the list says of it then: nothing where it is whole.
const changes: Record<string, [what: string | undefined, change: (video: Video) => unknown]> = {
  'untouched.mp4': [undefined, () => {}],
  'asked.mp4': [undefined, ({ id }) => longtake('ask', id, 'What is shown?')],
  'cut.mp4': ['damaged', video => truncateSync(stageFile(video, 'words', 'words.sqlite'), 10)],
  'lost.mp4': ['damaged', video => rmSync(stageFile(video, 'decode', 'shots.json'))],
  'without meta.mp4': ['damaged', video => rmSync(stageFile(video, 'decode', 'meta.json'))],
  'removed.mp4': ['missing', video => rmSync(stageFile(video, 'overview'), { recursive: true })],
  'forgotten.mp4': ['missing', video => forgetVideo(runtime.library, video.id)],
  'replaced.mp4': ['changed', ({ path }) => writeFileSync(path, 'something else')],
  'new.mp4': [undefined, ({ path }) => longtake('index', path)],
  // These change the folder that all lie in.
  'subtitled.mp4': [
    'missing',
    () => writeFileSync(join(library, 'subtitled.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHi.\n'),
  ],
  'away.mp4': [undefined, ({ path }) => renameSync(path, join(folder, 'away.mp4'))],
}

beforeAll(async () => {
  mkdirSync(library)
  for (const [name, frequency] of [
    ['first.mp4', 440],
    ['new.mp4', 880],
  ] as const)
    ffmpeg(join('videos', name), ...picture(2), ...tone(2), '-metadata', `title=${frequency}`, h264)
  longtake('index', join(library, 'first.mp4'))
  const config = await resolveConfig({ cwd: folder, environment: {}, search: false })
  runtime = await createRuntime({ config, home, environment: {} })
  const policy = { ...filePolicy(runtime.settings.index), watch: () => {}, signal: work().signal }
  await locateVideo(runtime.library, join(library, 'new.mp4'), policy)
  const copies = Object.keys(changes).filter(name => name !== 'new.mp4')
  await copyVideo(home, (await named('first.mp4')).id, library, copies)
  const results = readdirSync(join(home, 'library'), { recursive: true, withFileTypes: true })
  const files = results.filter(one => one.isFile() && one.parentPath.includes('stages'))
  for (const path of [
    ...copies.map(name => join(library, name)),
    ...files.map(one => join(one.parentPath, one.name)),
  ]) {
    copyFileSync(path, `${path}.own`) // it is linked to that of the others
    renameSync(`${path}.own`, path)
  }
  list = indexLister(work())
})
afterAll(async () => {
  await runtime?.close()
  remove()
})

test('a list says the same as a fresh look, after any change by anyone', async () => {
  const videos = await runtime.library.list()
  expect(videos.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(changes)))
  await sleep(200)
  for (const video of videos) await list(video) // finds the content of the files that were moved
  await sleep(2100) // a change within a tick of the clock leaves no trace: such a young file is looked at each time
  const before = new Map<string, Listed>()
  for (const video of videos) before.set(video.name, await list(video))
  for (const video of videos) expect(await list(video), `${video.name} is kept`).toBe(before.get(video.name))
  expect(whatOf(before.get('new.mp4'))).toBe('missing')
  for (const [name, [what, change]] of Object.entries(changes)) {
    if (name !== 'new.mp4') expect(whatOf(before.get(name)), name).toBeUndefined()
    const video = await named(name)
    await change(video)
    const listed = await list(video)
    const found = await finishedIndex(video, work(), 'sizes')
    expect(whatOf(listed), name).toBe(what)
    expect(listed, name).toEqual('why' in found ? found : { coverage: found.coverage, version: indexVersion(found) })
  }
})

test('a list says the same after a question has looked closer at an index of keyframes', async () => {
  const quick = ['--set', 'index.level=quick']
  const { path } = await named('first.mp4')
  longtake('index', path, ...quick)
  const config = await resolveConfig({
    cwd: folder,
    environment: {},
    search: false,
    flags: { set: ['index.level=quick'] },
  })
  const settings = { ...work(), settings: config.settings.index }
  const list = indexLister(settings)
  await sleep(2100)
  const video = await named('first.mp4')
  const before = await list(video)
  expect(whatOf(before)).toBeUndefined()
  expect(await list(video)).toBe(before)
  longtake('ask', path, 'What is shown at 0:01?', ...quick)
  const found = await finishedIndex(await named('first.mp4'), settings, 'sizes')
  expect(await list(await named('first.mp4'))).toMatchObject({ coverage: 'coverage' in found && found.coverage })
})

function whatOf(listed: Listed | undefined): string | undefined {
  return listed && 'what' in listed ? listed.what : undefined
}
