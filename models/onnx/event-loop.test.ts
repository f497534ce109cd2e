import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { soundFrom } from '../../tests/contracts/sound.ts'
import { never, testHost } from '../../tests/servers/host.ts'
import { imageEncoders } from '../embed-image/index.ts'
import { listeners } from '../hear/index.ts'

// How long a timer of the main thread has to wait (99 of 100), in milliseconds, once everything has been loaded, beyond what it
// waits here while nothing is done: on a machine that is busy with other things every process waits for its turn.
async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  await work()
  const idle = await delayWhile(() => wait(5))
  return (await delayWhile(work)) - 2 * idle
}

async function delayWhile(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const until = performance.now() + 700
  while (performance.now() < until) await work()
  await wait(5)
  delay.disable()
  return delay.percentile(99) / 1e6
}

const picture = { time: 0, width: 1280, height: 720, rgb: new Uint8Array(1280 * 720 * 3).fill(90) }

test('the event loop goes on within 50 ms while pictures are embedded', async () => {
  const settings = { folder: modelFixture('siglip'), device: 'cpu' }
  const encoder = await imageEncoders.open('siglip', settings, testHost())
  expect(await longestDelay(() => encoder.images(Array(16).fill(picture), never))).toBeLessThan(50)
  await encoder.close?.()
})

test('the event loop goes on within 50 ms while sounds are heard', async () => {
  const settings = { folder: modelFixture('clap'), device: 'cpu', labels: ['music', 'a beep'], others: ['speech'] }
  const listener = await listeners.open('clap', settings, testHost())
  const audio = soundFrom(Float32Array.from({ length: 16_000 * 10 }, (_, i) => Math.sin(i * 0.2) * 0.3))
  const listen = async () => {
    for await (const _ of listener.hear({ audio, span: { start: 0, end: 10 } }, never));
  }
  expect(await longestDelay(listen)).toBeLessThan(50)
  await listener.close?.()
})
