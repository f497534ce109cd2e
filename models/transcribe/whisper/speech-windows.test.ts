import { expect, test } from 'vitest'
import { overlap, spanLength } from '../../../src/core/time.ts'
import { all, join, noise, silence, soundFrom } from '../../../tests/contracts/sound.ts'
import { speechWindows, windowSound } from './speech-windows.ts'

const options = { seconds: 30, overlap: 1 }

test('speech with pauses is packed into few windows, none longer than the model hears', async () => {
  const spans = Array.from({ length: 10 }, (_, i) => ({ start: i * 9, end: i * 9 + 4 }))
  const windows = await all(speechWindows(soundFrom(silence(100)), spans, options))
  expect(windows.length).toBeLessThanOrEqual(4)
  for (const { sound } of windows) expect(spanLength(sound)).toBeLessThanOrEqual(30)
  for (const span of spans) {
    const heard = windows.filter(({ sound }) => sound.start <= span.start && sound.end >= span.end)
    expect(heard).toHaveLength(1)
  }
})

test('a group ends at a pause, where one is given', async () => {
  const spans = [0, 6, 13].map(start => ({ start, end: start + 4 }))
  const windows = await all(speechWindows(soundFrom(silence(20)), spans, { ...options, pause: 3 }))
  expect(windows.map(({ core }) => core)).toEqual([
    { start: 0, end: 10 },
    { start: 13, end: 17 },
  ])
})

test('long speech is cut at a pause, and both windows hear the sound about the cut', async () => {
  const samples = join(noise(25, 0.3), silence(0.5), noise(24.5, 0.3), silence(0.4), noise(30, 0.3))
  const audio = soundFrom(samples)
  const windows = await all(speechWindows(audio, [{ start: 0, end: samples.length / 16_000 }], options))
  expect(windows[0]!.core.end).toBeGreaterThan(24.9)
  expect(windows[0]!.core.end).toBeLessThan(25.6)
  expect(windows[1]!.core.end).toBeGreaterThan(49.9)
  expect(windows[1]!.core.end).toBeLessThan(50.5)
  windows.forEach(({ sound, core, joins }, i) => {
    expect(spanLength(sound)).toBeLessThanOrEqual(30 + 1e-9)
    expect(joins).toBe(i > 0)
    if (i === 0) return
    expect(core.start).toBe(windows[i - 1]!.core.end)
    expect(overlap(sound, windows[i - 1]!.sound)).toBeCloseTo(2, 6)
  })
  expect(windows.at(-1)?.core.end).toBeCloseTo(samples.length / 16_000, 6)
  expect(audio.longest).toBeLessThan(30)
})

test('what lies between the spans is silent to the model, and the spans are as they were', async () => {
  const audio = soundFrom(noise(12, 0.3))
  const spans = [
    { start: 1, end: 3 },
    { start: 8, end: 10 },
  ]
  const [window] = await all(speechWindows(audio, spans, options))
  const samples = await windowSound(audio, window!, spans)
  const at = (seconds: number) => Math.round((seconds - window!.sound.start) * 16_000)
  expect(samples.subarray(at(3.3), at(7.7)).every(sample => sample === 0)).toBe(true)
  expect([...samples.subarray(at(1), at(3))]).toEqual([...(await audio.read(spans[0]!))])
})

test('no speech, no windows; spans beyond the end of the sound count as far as it goes', async () => {
  expect(await all(speechWindows(soundFrom(silence(5)), [], options))).toEqual([])
  const [window] = await all(speechWindows(soundFrom(silence(5)), [{ start: 4, end: 9 }], options))
  expect(window!.core).toEqual({ start: 4, end: 5 })
})
