import { readdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolve.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { createRuntime, type LocalRuntime } from '../../src/runtime/runtime.ts'
import { h264, type MediaFolder, mediaFolder } from '../media-fixtures.ts'
import { plainCaption } from '../support/captions.ts'

// A red shot of 10 s, then a blue one of 40 s in which a box moves.
let media: MediaFolder
let video: string
const closing: LocalRuntime[] = []
beforeAll(async () => {
  media = mediaFolder()
  const red = ['-f', 'lavfi', '-i', 'color=red:s=320x180:r=10:d=10']
  const blue = [
    '-f',
    'lavfi',
    '-i',
    'color=blue:s=320x180:r=10:d=40',
    '-f',
    'lavfi',
    '-i',
    'color=white:s=60x60:r=10:d=40',
  ]
  const moving = "[1][2]overlay=x='t*5':y=60[moving];[0][moving]concat=n=2:v=1"
  video = media.ffmpeg('clip.mp4', [...red, ...blue, '-filter_complex', moving], h264)
  await writeFile(media.path('clip.srt'), '1\n00:00:26,000 --> 00:00:29,000\nThis is the secret word.\n')
})
afterAll(async () => {
  for (const runtime of closing) await runtime.close()
  media.remove()
})

const said = (text: string) => JSON.stringify({ ...plainCaption, events: [{ frame: 1, text }] })
const vision = {
  backend: 'scripted',
  atEnd: 'repeat-last',
  replies: [
    { purpose: 'caption', text: said('A zebra crosses'), inputTokens: 500, outputTokens: 50 },
    { purpose: 'look', text: 'A plain picture.' },
  ],
}

async function start(captions: object, more: object = {}): Promise<LocalRuntime> {
  const tracks = { sound: false, text: false }
  const given = {
    values: { profile: 'embedded', models: { vision }, index: { tracks, captions }, ...more },
    place: 'this test',
  }
  const config = await resolveConfig({ cwd: media.path(''), environment: {}, given, search: false })
  const runtime = await createRuntime({ config, home: media.path('home'), environment: {} })
  closing.push(runtime)
  return runtime
}

const captionsOf = (index: VideoIndex) => index.evidence({ tracks: ['caption'] })

test('a forecast has room for the thinking of a model that may think', async () => {
  const forecast = async (vision: object) => {
    const seeing = { backend: 'openai', url: 'http://127.0.0.1:9/v1', accepts: ['text', 'image'], ...vision }
    const { costs } = await (await start({ mode: 'shots' }, { models: { vision: seeing } })).videos.forecast(video)
    const cost = costs[0]?.densities.find(({ isSet }) => isSet)
    if (!cost) throw new Error('The density that is set is not in the forecast.')
    return cost
  }
  const plain = await forecast({ model: 'gpt-4o' })
  const thinking = await forecast({ model: 'qwen3-vl' })
  expect(thinking.calls).toBe(plain.calls)
  expect(thinking.outputTokens).toBe(plain.outputTokens + plain.calls * 4096)
})

test('a forecast makes nothing, and is exact once the video is decoded', async () => {
  const runtime = await start(
    { mode: 'shots', budget: { calls: 1 } },
    { prices: { scripted: { input: 2, output: 8 } } },
  )
  const before = await runtime.videos.forecast(video)
  expect(before.stages).toContainEqual({ stage: 'captions', by: 'chat/scripted', state: 'missing' })
  expect(before.costs[0]?.densities.find(({ isSet }) => isSet)).toMatchObject({ density: 'shots', isExact: false })
  await expect(readdir(media.path('home/library'))).rejects.toThrow('ENOENT')
  const { coverage } = await runtime.videos.index(video)
  expect(coverage.caption).toMatchObject({
    state: 'indexed',
    items: 1,
    note: '2 of 3 clips have no caption: index.captions.budget was spent',
  })
  const after = await runtime.videos.forecast(video)
  expect(after.stages).toContainEqual(expect.objectContaining({ stage: 'captions', state: 'there' }))
  expect(after.costs[0]?.densities.find(({ isSet }) => isSet)).toMatchObject({
    ...{ isExact: true, calls: 1, inputTokens: 500, outputTokens: 50, money: (500 * 2 + 50 * 8) / 1e6 },
    seconds: expect.any(Number),
  })
})

test('captions are found by their words, and cited', async () => {
  const runtime = await start({ mode: 'shots' })
  const opened = await runtime.questions.openVideo(video)
  expect(captionsOf(opened.index).map(row => row.span.start)).toEqual([0, 10, 30])
  const [hit] = await opened.index.search({ query: 'zebra', tracks: ['caption'] })
  expect(hit?.evidence.text).toMatch(/^A zebra crosses\. People: /)
  const { answer, evidence } = await opened.ask({ text: 'When does a zebra cross?' })
  const cited = answer.sentences.flatMap(({ cites }) => cites)
  expect(evidence.filter(({ id }) => cited.includes(id)).map(({ track }) => track)).toContain('caption')
  await opened.close()
})

test('another number of frames makes the captions again and nothing that they do not reach', async () => {
  const runtime = await start({ mode: 'shots', frames: 8 })
  const { stages } = await runtime.videos.index(video)
  const made = stages.filter(({ state }) => state === 'done').map(({ stage }) => stage)
  expect(made).toContain('captions')
  for (const stage of ['decode', 'vectors', 'speech', 'vector-index']) expect(made).not.toContain(stage)
})

test('what a question touches gets a caption of its own, within the budget, which later questions find', async () => {
  const question = { text: 'What is said about the secret word?' }
  const spent = await (await start({ mode: 'shots', budget: { calls: 1 } })).questions.openVideo(video)
  await spent.ask(question)
  expect(captionsOf(spent.index)).toHaveLength(1)
  await spent.close()

  const runtime = await start({ mode: 'shots', budget: { calls: 2 } })
  const opened = await runtime.questions.openVideo(video)
  expect(captionsOf(opened.index)).toHaveLength(2)
  await opened.close()

  const whole = await start(
    { mode: 'seconds', seconds: 60, budget: { calls: 3 } },
    { prices: { scripted: { input: 2, output: 8 } } },
  )
  const asked = await whole.questions.openVideo(video)
  expect(captionsOf(asked.index).map(({ span }) => span)).toEqual([{ start: 0, end: 50 }])
  const report = await asked.ask(question)
  expect(captionsOf(asked.index).map(({ span }) => span)).toContainEqual({ start: 20, end: 40 })
  expect(report.coverage.notes.join(' ')).toContain('the picture was captioned closely: [0:20-0:40]')
  await asked.close()
  expect(await whole.questions.replay(report.run)).toMatchObject({ same: true })
  // The close-up is the question's: it and its money are among what the question took.
  const again = await asked.ask(question)
  expect(report.usage.inputTokens - again.usage.inputTokens).toBe(500)
  expect(report.usage.money - again.usage.money).toBeCloseTo((500 * 2 + 50 * 8) / 1e6, 9)
  const later = await (await start({ mode: 'seconds', seconds: 60, budget: { calls: 3 } })).questions.openVideo(video)
  expect(captionsOf(later.index)).toHaveLength(2)
  await later.close()
})
