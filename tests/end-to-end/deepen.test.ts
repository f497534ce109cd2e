import { readdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { Runtime } from '../../src/core/runtime.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'

// Keyframes at 0, 20 and 40 s; the sign is there from 25 to 31 s, between two of them.
const font = 'fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf'
const sign = `drawtext=${font}:fontsize=40:fontcolor=black:x=40:y=70:text='ZEBRA':enable='between(t\\,25\\,31)'`
const keyframes = ['-g', '200', '-sc_threshold', '0']

let media: MediaFolder
let video: string
const closing: Runtime[] = []
beforeAll(async () => {
  media = mediaFolder()
  const source = ['-f', 'lavfi', '-i', 'color=white:s=320x180:r=10:d=50', '-vf', sign]
  video = media.ffmpeg('clip.mp4', source, h264, keyframes)
  const cues =
    '1\n00:00:03,000 --> 00:00:06,000\nGood evening.\n\n2\n00:00:26,000 --> 00:00:29,000\nThis is the secret word.\n'
  await writeFile(media.path('clip.srt'), cues)
})
afterAll(async () => {
  for (const runtime of closing) await runtime.close()
  media.remove()
})

async function start(index: object = {}): Promise<Runtime> {
  const given = {
    values: { profile: 'embedded', index: { level: 'quick', tracks: { sound: false }, ...index } },
    place: 'this test',
  }
  const config = await resolveConfig({ cwd: media.path(''), environment: {}, given, search: false })
  const runtime = await createRuntime({ config, home: media.path('home'), environment: {} })
  closing.push(runtime)
  return runtime
}

const texts = (index: VideoIndex) => index.evidence({ tracks: ['text'] }).map(row => row.text)
const question = { text: 'What is said about the secret word?' }

test('what a question touches is looked at in full, kept, and found by the next question', async () => {
  const runtime = await start()
  const opened = await runtime.questions.openVideo(video)
  expect(texts(opened.index)).toEqual([])
  const report = await opened.ask(question)
  expect(texts(opened.index)).toEqual(['ZEBRA'])
  const [row] = opened.index.evidence({ tracks: ['text'] })
  expect(row!.span.start).toBeGreaterThanOrEqual(24)
  expect(row!.span.end).toBeLessThanOrEqual(32)
  expect(report.coverage.notes.join(' ')).toContain('only the keyframes')
  expect(report.coverage.notes.join(' ')).toMatch(/all frames were looked at for text: .*\[0:20-0:40\]/)
  await opened.close()

  const later = await (await start()).questions.openVideo(video)
  const [hit] = await later.index.search({ query: 'zebra' })
  expect(hit!.evidence.text).toBe('ZEBRA')
  await later.close()

  // The run is replayed on the very index that it had.
  expect(await runtime.questions.replay(report.run)).toMatchObject({ same: true })
})

test('the index itself stays what it was, as every evaluation begins with it', async () => {
  const index = (await (await start()).videos.open(video)) as VideoIndex & { close(): Promise<void> }
  expect(texts(index)).toEqual([])
  await index.close()
})

test('nothing is looked at where it is switched off, and nothing twice', async () => {
  const off = await (await start({ deepen: false })).questions.openVideo(video)
  await off.ask(question)
  expect(texts(off.index)).toEqual([])
  const windows = () => readdir(`${media.path('home/library')}/${off.index.video.id}/stages/deepened`)
  const before = await windows()
  await off.close()
  const again = await (await start()).questions.openVideo(video)
  await again.ask(question)
  await again.close()
  expect(await windows()).toEqual(before)
})
