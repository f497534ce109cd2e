import { expect, test } from 'vitest'
import { soundFrom } from '../../tests/contracts/sound.ts'
import { never } from '../../tests/servers/host.ts'
import { feedSleeping } from '../../tests/support/feeding.ts'
import { taggedSounds } from './tagged-sounds.ts'

const picture = { time: 0, width: 320, height: 180, rgb: new Uint8Array(320 * 180 * 3).fill(90) }

test('while a model works on one batch the next is prepared: it works nine tenths of the time', async () => {
  const tries: number[] = []
  // Where others take the machine away, the calmest try counts.
  while (tries.length < 15 && !(Math.max(...tries) > 0.9)) {
    const { overlap, alone } = await feedSleeping(picture, { batches: 24, size: 4 })
    expect(alone).toBeLessThan(0.7) // what it would be one after the other
    tries.push(overlap)
  }
  expect(Math.max(...tries)).toBeGreaterThan(0.9)
})

test('windows of sound are read and prepared while those before them are scored', async () => {
  const audio = soundFrom(Float32Array.from({ length: 16_000 * 60 }, (_, i) => Math.sin(i * 0.2) * 0.3))
  const events: string[] = []
  let group = 0
  const heard = taggedSounds({
    audio,
    span: { start: 0, end: 60 },
    threshold: 0.5,
    windowSeconds: 10.24,
    stepSeconds: 5,
    signal: never,
    labels: ['a hum'],
    atOnce: () => 4,
    async scores(windows) {
      const at = ++group
      events.push(`${at} begins`)
      await new Promise(resolve => setTimeout(resolve, 50))
      events.push(`${at} ends`)
      return windows.map(() => [0.9])
    },
  })
  const found = []
  for await (const sound of heard) found.push(sound)
  expect(found).toMatchObject([{ text: 'a hum', span: { start: 0, end: 60 } }])
  expect(events.indexOf('2 begins')).toBeLessThan(events.indexOf('1 ends'))
  expect(events.indexOf('3 begins')).toBeLessThan(events.indexOf('2 ends'))
  expect(events.indexOf('3 begins')).toBeGreaterThan(events.indexOf('1 ends'))
})
