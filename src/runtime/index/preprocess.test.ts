import { expect, test } from 'vitest'
import type { EarlyPart } from '../../core/stage.ts'
import { preprocess, type RunStage, type StagePlan } from './preprocess.ts'

const sound: EarlyPart<string> = { stage: 'decode', part: 'sound' }
const steps: StagePlan[] = [
  { name: 'decode', after: [] },
  { name: 'voices', after: ['decode'], early: [sound] },
  { name: 'text', after: ['decode'], early: [sound] },
  { name: 'speech', after: ['voices', 'decode'], early: [sound] },
  { name: 'sounds', after: ['decode'], early: [sound], runAfter: { voices: 'always' } },
  { name: 'overview', after: ['decode', 'text', 'speech', 'sounds'], partial: true },
  { name: 'full-text', after: ['overview', 'text'], partial: true },
]
const { signal } = new AbortController()
const pause = (milliseconds = 5) => new Promise(done => setTimeout(done, milliseconds))

// What began and what ended, in order.
async function diary(of: Partial<Record<string, RunStage>> = {}) {
  const lines: string[] = []
  const outcomes = await preprocess(
    steps,
    async (step, news, ...more) => {
      lines.push(`${step.name} begins`)
      const outcome = (await of[step.name]?.(step, news, ...more)) ?? { state: 'done', key: step.name }
      await pause()
      lines.push(`${step.name} ends`)
      return outcome
    },
    signal,
  )
  return { lines, outcomes, at: (line: string) => lines.indexOf(line) }
}

test('every stage runs once, and only after those it reads', async () => {
  const { lines, outcomes, at } = await diary()
  expect(lines).toHaveLength(2 * steps.length)
  for (const { name, after } of steps)
    for (const source of after) expect(at(`${name} begins`)).toBeGreaterThan(at(`${source} ends`))
  expect(Object.keys(outcomes).sort()).toEqual(steps.map(({ name }) => name).sort())
})

test('a stage begins when what it begins with is told of, one behind another when that is over', async () => {
  const { at } = await diary({
    async decode(_, news) {
      await pause()
      news.publish(sound, 'sound.pcm')
      await pause(50)
      return { state: 'done' }
    },
  })
  for (const early of ['voices', 'text', 'sounds', 'speech'])
    expect(at(`${early} begins`)).toBeLessThan(at('decode ends'))
  expect(at('voices begins')).toBeLessThan(at('text begins'))
  expect(at('sounds begins')).toBeGreaterThan(at('voices ends'))
  expect(at('overview begins')).toBeGreaterThan(at('decode ends'))
})

test('a stage that failed leaves out those that read it, and not those that are made of what there is', async () => {
  const { lines, outcomes } = await diary({ voices: async () => ({ state: 'failed', note: 'no model' }) })
  expect(outcomes.speech).toEqual({ state: 'failed', note: 'no model' })
  expect(lines).not.toContain('speech begins')
  expect(outcomes.overview?.state).toBe('done')
})

test('an error of one stage stops those beside it, and none is left running', async () => {
  const stopped: string[] = []
  const making = diary({
    async voices() {
      throw new Error('no language data')
    },
    async text(_step, _news, _outcomes, signal) {
      await new Promise(done => signal.addEventListener('abort', done, { once: true }))
      await pause(30)
      stopped.push('text')
      throw new Error('stopped')
    },
  })
  await expect(making).rejects.toThrow('no language data')
  expect(stopped).toEqual(['text'])
})

test('a stage that is listed before one that it reads is refused', async () => {
  const done: RunStage = async () => ({ state: 'done' })
  await expect(preprocess([...steps].reverse(), done, signal)).rejects.toThrow('listed before')
})
