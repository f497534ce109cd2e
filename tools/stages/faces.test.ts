import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ForecastGiven, StageReader } from '../../src/core/stage.ts'
import { findOrMakeStage } from '../../src/store/stage/stage.ts'
import { decodedVideo } from '../../tests/support/captions.ts'
import { indexSettings, stageContext } from '../../tests/support/stage-context.ts'
import faces from './faces.ts'

const { signal } = new AbortController()
let made: Awaited<ReturnType<typeof decodedVideo>>
beforeEach(async () => {
  const shots = [4, 35, 3, 12].map((length, shot, all) => {
    const start = all.slice(0, shot).reduce((sum, one) => sum + one, 0)
    const times = Array.from({ length: Math.ceil(length / 3) }, (_, nth) => start + nth * 3)
    return { start, end: start + length, stills: times.map(time => ({ time, grey: shot * 20 })) }
  })
  made = await decodedVideo(shots, { width: 640, height: 360 })
})
afterEach(() => made.remove())

const asking = { chat: { backend: 'openai', model: 'gpt-4.1' }, longestSide: 1280 }

async function forecast(backend: unknown, result: (stage: string) => StageReader | undefined) {
  const given: Omit<ForecastGiven, 'backend'> = {
    ...{ video: made.video, settings: { ...indexSettings, faces: true }, subtitled: false, replaced: () => false },
    ...{ result, rows: async () => [], model: 'faces/vlm', price: { input: 2, output: 8 }, earlier: [], signal },
  }
  return (await faces.forecast?.({ ...given, backend })) ?? []
}

test('the forecast of faces is the frames that are then looked at, and a bound before the video is decoded', async () => {
  let looked = 0
  await findOrMakeStage({
    folder: made.folder,
    stage: 'faces',
    key: 'k',
    by: 'faces/test',
    settings: {},
    inputs: {},
    video: 'v1',
    signal,
    make: out =>
      faces.make(
        stageContext<'faces'>({
          video: made.video,
          out,
          signal,
          pipeline: { subscribe: async function* () {}, done: async () => {} },
          open: async () => ({
            by: 'faces/test',
            service: {
              people: [],
              async faces(frames) {
                looked += frames.length
                return frames.map(() => [])
              },
            },
          }),
          results: { result: stage => (stage === 'decode' ? made.decode : undefined) },
        }),
      ),
  })
  expect(looked).toBe(6) // one for each shot, two more of the long one
  const [exact] = await forecast(asking, stage => (stage === 'decode' ? made.decode : undefined))
  expect(exact).toMatchObject({ isSet: true, isExact: true, calls: looked, frames: looked })
  expect(exact?.money).toBeCloseTo(((exact?.inputTokens ?? 0) * 2 + (exact?.outputTokens ?? 0) * 8) / 1e6)
  const [bound] = await forecast(asking, () => undefined)
  expect(bound).toMatchObject({ isExact: false })
  for (const name of ['calls', 'frames', 'inputTokens', 'outputTokens'] as const)
    expect(bound?.[name]).toBeGreaterThanOrEqual(exact?.[name] ?? 0)
})

test('pictures of known people are shown with each frame, and a backend that asks no model costs nothing', async () => {
  const people = join(made.folder, 'people')
  await mkdir(people)
  const plain = await forecast({ ...asking, people }, () => made.decode)
  await writeFile(join(people, 'Ada.jpg'), '')
  const [shown] = await forecast({ ...asking, people }, () => made.decode)
  expect(shown?.inputTokens).toBeGreaterThan(plain[0]?.inputTokens ?? 0)
  expect(await forecast({ ...asking, people: { Ada: ['a.jpg', 'b.jpg'] } }, () => made.decode)).toEqual([shown])
  expect(await forecast({ model: 'yunet.onnx' }, () => made.decode)).toEqual([])
})
