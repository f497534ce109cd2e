import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { chatOverTransport } from '../../models/chat/adapter/chat-over-transport.ts'
import type { Evidence } from '../../src/core/evidence.ts'
import { stamp } from '../../src/core/evidence.ts'
import type { CaptionSettings } from '../../src/core/settings.ts'
import type { ForecastGiven, StageReader } from '../../src/core/stage.ts'
import captions from '../../tools/stages/captions.ts'
import { captionedStage, decodedVideo, plainCaption, seeingModel, usualCaptions } from '../support/captions.ts'
import { indexSettings } from '../support/stage-context.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const remove of undo.splice(0)) await remove()
})

const caption = JSON.stringify({
  ...plainCaption,
  events: [1, 2, 3].map(() => ({
    frame: 1,
    text: 'A woman in a long green coat walks past the blue door of the hall',
  })),
  people: [1, 2].map(() => ({ looks: 'a woman in a long green coat', does: 'walks past a door', name: '' })),
  objects: ['a blue door', 'a wooden bench', 'a red bag'],
  text: ['EXIT', 'Way out'],
  camera: 'a wide shot that follows her to the right',
})

// A model of a server that reports no usage, so that its adapter counts the request that was really sent.
function countingModel() {
  const transport = {
    id: 'chat/test/qwen3-vl-8b',
    accepts: new Set(['text', 'image'] as const),
    send: async () => ({ text: caption, calls: [], stop: 'end' as const, model: 'qwen3-vl-8b' }),
  }
  return chatOverTransport(transport, { toolMode: 'auto', schemaBy: 'server', defaults: {}, say: () => {} })
}

async function madeVideo() {
  const shots = Array.from({ length: 12 }, (_, at) => ({
    start: at * 20,
    end: at * 20 + 20,
    stills: Array.from({ length: 1 + (at % 5) }, (_, nth) => ({
      ...{ time: at * 20 + nth * 3, grey: at * 20 },
      reason: nth === 0 ? ('shot' as const) : ('change' as const),
    })),
  }))
  const made = await decodedVideo(shots, { width: 1280, height: 720 })
  undo.push(made.remove)
  return made
}

const rows: Evidence[] = Array.from({ length: 24 }, (_, at) =>
  stamp(
    {
      span: { start: at * 10, end: at * 10 + 9 },
      track: 'speech',
      text: 'and this is what is said of it there '.repeat(3),
    },
    'v1',
    'transcribe/test',
  ),
)

type Made = Awaited<ReturnType<typeof decodedVideo>>

async function forecast(made: Made, set: Partial<CaptionSettings>, given: Partial<ForecastGiven> = {}) {
  const costs = await captions.forecast?.({
    ...{ video: made.video, subtitled: false, replaced: () => false as const, rows: async () => rows, earlier: [] },
    settings: { ...indexSettings, captions: { ...usualCaptions, ...set } },
    result: stage => (stage === 'decode' ? made.decode : undefined),
    ...{ model: 'chat/openai qwen3-vl-8b', backend: {}, signal: new AbortController().signal },
    ...given,
  })
  const cost = costs?.find(({ isSet }) => isSet)
  if (!costs || !cost) throw new Error('The density that is set is not in the forecast.')
  return { cost, costs }
}

async function usageOf(result: StageReader) {
  return result.json(
    'usage.json',
    z.object({ calls: z.number(), inputTokens: z.number(), outputTokens: z.number(), frames: z.number() }),
  )
}

const near = (a: number, b: number) => expect(Math.max(a, b) / Math.min(a, b)).toBeLessThan(1.25)

test.each([
  ['shots', {}],
  ['pieces of 10 s', { mode: 'seconds', seconds: 10 }],
  ['pieces of 45 s', { mode: 'seconds', seconds: 45 }],
  ['a budget of calls', { budget: { calls: 5 } }],
] as [string, Partial<CaptionSettings>][])('the forecast for %s is what the calls then take', async (_, set) => {
  const made = await madeVideo()
  const { cost } = await forecast(made, set)
  const { result } = await captionedStage(made, countingModel(), { captions: set, rows })
  const usage = await usageOf(result)
  expect(cost).toMatchObject({ isExact: true, calls: usage.calls, frames: usage.frames })
  near(cost.inputTokens, usage.inputTokens)
  near(cost.inputTokens + cost.outputTokens, usage.inputTokens + usage.outputTokens)
})

test('what the same model took before is what is forecast, with its time', async () => {
  const made = await madeVideo()
  const { model } = seeingModel()
  const { result } = await captionedStage(made, model, { rows })
  const { cost } = await forecast(
    made,
    {},
    {
      ...{ earlier: [result], price: { input: 2, output: 8 }, model: model.id },
    },
  )
  expect(cost).toMatchObject({ calls: 12, outputTokens: 12 * 20, seconds: expect.any(Number) })
  near(cost.inputTokens, 12 * 100)
  expect(cost.money).toBeCloseTo((cost.inputTokens * 2 + cost.outputTokens * 8) / 1e6)
})

test('the bound has room for the thinking of a model', async () => {
  const made = await madeVideo()
  const bound = { result: () => undefined, rows: async () => [] }
  const [{ cost: plain }, { cost }] = [
    await forecast(made, {}, bound),
    await forecast(made, {}, { ...bound, thinkingTokens: 4096 }),
  ]
  expect(cost.outputTokens).toBe(plain.outputTokens + plain.calls * 4096)
})

test('before a video is decoded the forecast is a bound that the calls do not pass, and says so', async () => {
  const made = await madeVideo()
  const { costs } = await forecast(made, {}, { result: () => undefined, rows: async () => [] })
  expect(costs.map(({ density, isExact }) => [density, isExact])).toEqual([
    ['shots', false],
    ['10 s', false],
    ['30 s', false],
    ['60 s', false],
  ])
  for (const cost of costs) {
    const set: Partial<CaptionSettings> =
      cost.density === 'shots' ? {} : { mode: 'seconds', seconds: Number.parseInt(cost.density, 10) }
    const { result } = await captionedStage(made, countingModel(), { captions: set, rows, key: cost.density })
    const usage = await usageOf(result)
    expect(usage.calls).toBeLessThanOrEqual(cost.calls)
    expect(usage.frames).toBeLessThanOrEqual(cost.frames)
    expect(usage.inputTokens).toBeLessThanOrEqual(cost.inputTokens)
    expect(usage.outputTokens).toBeLessThanOrEqual(cost.outputTokens)
  }
})

test('a forecast asks no model, also where captions are off', async () => {
  const made = await madeVideo()
  await expect(forecast(made, { mode: 'off' })).rejects.toThrow('is not in the forecast')
})
