import { expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { all, noise, soundFrom } from '../../tests/contracts/sound.ts'
import { never, testHost } from '../../tests/servers/host.ts'
import { listeners } from './index.ts'

test('the windows are as long as those that the model was trained on, and five seconds apart', async () => {
  const audio = soundFrom(noise(22, 0.2))
  const spans: { start: number; end: number }[] = []
  const read = audio.read.bind(audio)
  audio.read = span => {
    spans.push(span)
    return read(span)
  }
  const listener = await listeners.open('ast', { folder: modelFixture('ast'), device: 'cpu' }, testHost())
  await all(listener.hear({ audio, span: { start: 0, end: 22 } }, never))
  await listener.close?.()
  expect(spans.map(({ start }) => start)).toEqual([0, 5, 10, 15, 20])
  expect(spans.map(({ start, end }) => Number((end - start).toFixed(2)))).toEqual([10.24, 10.24, 10.24, 7, 2])
})
