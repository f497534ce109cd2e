import { expect, test } from 'vitest'
import { preprocess, type StageName, type StageRunners, stageNames } from './preprocess.ts'

function runners(run: (name: StageName) => Promise<void>): StageRunners {
  const one = (name: StageName) => async () => {
    await run(name)
    return { state: 'done' as const, key: name }
  }
  return Object.fromEntries(stageNames.map(name => [name, one(name)])) as unknown as StageRunners
}

test('every stage runs once, and only after those it builds on', async () => {
  const order: StageName[] = []
  const state = await preprocess(
    runners(async name => {
      order.push(name)
    }),
    new AbortController().signal,
  )
  expect([...order].sort()).toEqual([...stageNames].sort())
  expect(order.indexOf('decode')).toBeGreaterThan(order.indexOf('probe'))
  expect(order.indexOf('speech')).toBeGreaterThan(order.indexOf('probe'))
  for (const track of ['speech', 'text', 'sounds'] as const)
    expect(order.indexOf('overview')).toBeGreaterThan(Math.max(order.indexOf(track), order.indexOf('decode')))
  expect(Object.keys(state.stages).sort()).toEqual([...stageNames].sort())
})

test('decoding and all tracks run side by side', async () => {
  let running = 0
  let most = 0
  await preprocess(
    runners(async () => {
      running++
      most = Math.max(most, running)
      await new Promise(done => setTimeout(done, 20))
      running--
    }),
    new AbortController().signal,
  )
  expect(most).toBeGreaterThanOrEqual(5)
})

test('an error of one stage stops the graph with that error', async () => {
  const failing = runners(async name => {
    if (name === 'text') throw new Error('no language data')
  })
  await expect(preprocess(failing, new AbortController().signal)).rejects.toThrow('no language data')
})

test('when one stage fails, those beside it are stopped and none is left running', async () => {
  const stopped: string[] = []
  const failing = runners(async () => {})
  failing.text = async () => {
    throw new Error('no language data')
  }
  failing.speech = async (_state, signal) => {
    await new Promise(done => signal.addEventListener('abort', done, { once: true }))
    await new Promise(done => setTimeout(done, 30))
    stopped.push('speech')
    throw new Error('stopped')
  }
  await expect(preprocess(failing, new AbortController().signal)).rejects.toThrow('no language data')
  expect(stopped).toEqual(['speech'])
})
