import { describe, expect, test } from 'vitest'
import lvBench from '../../benchmarks/lvbench/index.ts'
import type { Sample } from '../../data/sample.ts'
import { type ForecastWork, forecast } from './forecast.ts'

const sample = (id: string, video: string): Sample => ({
  id,
  video,
  question: { text: 'Who?', options: ['a', 'b'] },
  groups: {},
  record: {},
})
const samples = [sample('1', 'a.mp4'), sample('2', 'a.mp4'), sample('3', 'b.mp4')]
const check = (video: string, state: 'ready' | 'missing') => ({
  video,
  state,
  questions: 1,
  subtitles: 'none' as const,
  faults: [],
  duration: 1800,
  path: `/videos/${video}`,
})
const work: ForecastWork = {
  benchmark: lvBench,
  samples,
  tasks: new Set(['answer']),
  by: 'longtake',
  checked: { videos: [check('a.mp4', 'ready'), check('b.mp4', 'missing')], samples: 3, askable: 2, faults: [] },
  missingStages: async () => [
    { stage: 'speech', secondsPerHour: 600 },
    { stage: 'text', secondsPerHour: 100 },
  ],
  concurrency: 2,
}
const past = {
  runs: 1,
  questions: 10,
  seconds: 4,
  calls: 3,
  tokens: 1100,
  inputTokens: 1000,
  outputTokens: 100,
  judgment: { inputTokens: 50, outputTokens: 5 },
}

describe('a forecast', () => {
  test('counts what can be asked, and the indexing that is missing at the speed measured here', async () => {
    expect(await forecast(work)).toMatchObject({ videos: 1, hours: 0.5, questions: 2, indexSeconds: 350 })
  })

  test('is of the videos of its questions alone: what a run has settled before is left out of them', async () => {
    const checked = { ...work.checked, videos: [check('a.mp4', 'ready'), check('c.mp4', 'ready')] }
    expect(await forecast({ ...work, samples: samples.slice(1), checked })).toMatchObject({ videos: 1, questions: 1 })
  })

  test('says nothing of seconds and money where these models were never asked', async () => {
    const unknown = await forecast({ ...work, prices: { asking: [{ input: 1, output: 2 }] } })
    expect(unknown.askSeconds).toBeUndefined()
    expect(unknown.money).toBeUndefined()
    expect(unknown.from).toContain('--limit')
  })

  test('goes by earlier runs, and by the dearest price that is set', async () => {
    const prices = {
      asking: [
        { input: 1, output: 2 },
        { input: 10, output: 40 },
      ],
    }
    const known = await forecast({ ...work, past, prices })
    expect(known).toMatchObject({ askSeconds: 4, modelCalls: 6, tokens: 2200 })
    expect(known.money).toBeCloseTo((2 * (1000 * 10 + 100 * 40)) / 1e6)
    expect((await forecast({ ...work, past })).money).toBeUndefined()
  })

  test('bounds what language models are asked beside, by earlier runs and by the budget', async () => {
    const parts = ['votes', 'focus'] as const
    const budget = { steps: 5, tokens: 1000, frames: 16 }
    const { more, ceiling } = await forecast({ ...work, past, parts, budget })
    expect(more?.map(({ part, calls }) => [part, calls])).toEqual([
      ['votes', 12],
      ['focus', undefined],
    ])
    expect(ceiling).toEqual({ tokens: 2000, frames: 32 })
    expect((await forecast({ ...work, parts })).more?.map(({ calls }) => calls)).toEqual([...[undefined, undefined]])
    expect(await forecast({ ...work, parts: [] })).not.toHaveProperty('more')
  })
})
