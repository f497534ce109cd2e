import type { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import type { RanOn } from '../../src/core/backend.ts'
import { textContent } from '../../src/core/chat.ts'
import type { Finding } from '../../src/core/evidence.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { join, silence, soundFrom, tone } from '../../tests/contracts/sound.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { chatModels } from '../chat/index.ts'
import { listeners } from './index.ts'

afterEach(closeAll)
const folder = modelFixture('gemma3n')

test('a model of this machine is played each piece that is not silent, and tells of it at the time of the piece', async () => {
  const listener = closeLater(await listeners.open('onnx', { folder, device: 'cpu', captionSeconds: 2 }, testHost()))
  const audio = soundFrom(join(silence(4), tone(2, 440, 0.4), silence(6)))
  const found: Finding[] = []
  for await (const finding of listener.hear({ audio, span: { start: 0, end: 12 } }, never)) found.push(finding)
  expect(found).toEqual([{ span: { start: 4, end: 6 }, track: 'sound', text: expect.stringMatching(/\S/) }])
})

test('a model without an audio encoder is refused as a listener', async () => {
  const other = listeners.open('onnx', { folder: modelFixture('smolvlm2'), device: 'cpu' }, testHost())
  await expect(other).rejects.toMatchObject({ hint: expect.stringContaining('gemma-3n-e2b') })
})

test('every role that uses the same files shares one thread, which ends with the last of them', async () => {
  const threads: Worker[] = []
  const count = (worker: Worker) => threads.push(worker)
  process.on('worker', count)
  const ran: RanOn[] = []
  const host = { ...testHost(), ran: (report: RanOn) => void ran.push(report) }
  const chat = { folder, kind: 'vision', device: 'cpu' }
  const planner = await chatModels.open('onnx', chat, host)
  const writer = await chatModels.open('onnx', { ...chat, temperature: 0.5, contextTokens: 4096 }, host)
  const listener = await listeners.open('onnx', { folder, device: 'cpu' }, host)
  const ask = {
    purpose: 'write' as const,
    messages: [{ role: 'user' as const, content: textContent('Hello.') }],
    maxTokens: 4,
  }
  await Promise.all([planner.reply(ask, never), writer.reply(ask, never)])
  // Its template names no tools, so that they go into the prompt as a schema, which noise does not keep to.
  const search = { name: 'search', description: 'Find a moment.', parameters: { type: 'object' } }
  await expect(planner.reply({ ...ask, tools: [search] }, never)).rejects.toThrow('not a JSON object with "calls"')
  await planner.close?.()
  const audio = soundFrom(tone(1, 440, 0.4))
  for await (const _ of listener.hear({ audio, span: { start: 0, end: 1 } }, never)) break
  expect(threads).toHaveLength(1)
  expect(ran.map(({ provider }) => provider)).toEqual(['cpu', 'cpu', 'cpu'])

  const stop = new AbortController()
  const long = writer.reply({ ...ask, maxTokens: 4000 }, stop.signal, () => stop.abort(new Error('enough')))
  await expect(long).rejects.toThrow('enough')
  await listener.close?.()
  expect((await writer.reply(ask, never)).usage.outputTokens).toBeLessThanOrEqual(4)
  await writer.close?.()
  expect(threads[0]?.threadId).toBe(-1)
  await expect(writer.reply(ask, never)).rejects.toThrow('closed')
  process.off('worker', count)
})
