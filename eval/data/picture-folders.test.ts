import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeFrames } from '../../src/media/frames.ts'
import { encodeJpeg } from '../../src/media/image.ts'
import { probe } from '../../src/media/probe/probe.ts'
import { videoFinder } from './find-videos.ts'
import { withPictureFolders } from './picture-folders.ts'

test('a folder of numbered pictures is a video with a picture a second', async () => {
  const root = mkdtempSync(join(tmpdir(), 'longtake-pictures-'))
  const pictures = join(root, 'frames', "it's a film")
  mkdirSync(pictures, { recursive: true })
  for (const [at, name] of ['000001.jpg', '000002.jpg', '000010.jpg'].entries()) {
    const grey = Buffer.alloc(64 * 48 * 3, 40 + at * 80)
    writeFileSync(join(pictures, name), await encodeJpeg({ time: 0, width: 64, height: 48, rgb: grey }))
  }
  const said: string[] = []
  const names = ["videos/it's a film.mp4", 'videos/other.mp4']
  const { signal } = new AbortController()
  const work = {
    names,
    find: await videoFinder(root),
    root,
    folder: join(root, 'made'),
    say: said.push.bind(said),
    signal,
  }
  const dry = await withPictureFolders({ ...work, dryRun: true })
  expect(dry(names[0] ?? '')).toMatchObject({ packed: true })
  const find = await withPictureFolders(work)
  const file = find(names[0] ?? '')
  const video = await probe('path' in file ? file.path : '')
  expect(video).toMatchObject({ duration: 3, picture: { width: 64, height: 48, frameRate: 1 } })
  const frames = await decodeFrames(video, [0, 1, 2], { width: 64 }, signal)
  const greys = frames.map(({ rgb }) => rgb[0] ?? 0)
  expect(greys.map((grey, at) => Math.abs(grey - 40 - at * 80) < 6)).toEqual([true, true, true])
  expect(find('videos/other.mp4')).toHaveProperty('fault')
  expect(said).toHaveLength(2) // once dry
  expect(said.at(-1)).toContain('1 video lies as pictures in a folder')
})
