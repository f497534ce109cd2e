import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { overlap, type Span } from '../../src/core/time.ts'
import { runProgram } from '../../src/media/program/run-program.ts'
import type { SceneSound } from '../../src/media/render/scene.ts'
import { soundShape } from '../../src/media/render/sound-shapes.ts'
import { host } from '../../tests/contracts/backends.ts'
import { all, hasFlite, join, noise, silence, soundFrom, spoken, tone } from '../../tests/contracts/sound.ts'
import { listeners } from './index.ts'

const listener = await listeners.open('signal', {}, host)

async function heard(samples: Float32Array): Promise<{ text: string; span: Span }[]> {
  const audio = soundFrom(samples)
  return all(listener.hear({ audio, span: { start: 0, end: audio.duration } }, host.signal))
}

const loud = (samples: Float32Array) => samples.map(sample => sample * 0.5)
const over = (samples: Float32Array, level: number) => {
  const hiss = noise(samples.length / 16_000, level)
  return samples.map((sample, i) => sample + hiss[i]!)
}

const words: Record<Exclude<SceneSound, 'silence'>, RegExp> = {
  bell: /rings near \d+ Hz.*bell/,
  siren: /glides between 6\d\d and 13\d\d Hz.*siren/,
  bark: /6 short bursts.*bark/,
  applause: /crackle.*applause/,
  music: /music/,
  beep: /tone near 1000 Hz.*beep/,
  knock: /8 knocks.*door knock/,
}

describe.each(Object.entries(words))('a %s of three seconds', (kind, expected) => {
  const sound = loud(soundShape(kind as Exclude<SceneSound, 'silence'>, 3, 7))
  const at = { start: 4, end: 7 }

  test.each([
    ['in silence', (samples: Float32Array) => samples],
    ['over faint noise', (samples: Float32Array) => over(samples, 0.003)],
  ])('%s is one event with its name, and begins within a quarter of a second', async (_, behind) => {
    const events = await heard(behind(join(silence(at.start), sound, silence(3))))
    const matching = events.filter(event => expected.test(event.text))
    expect(matching).toHaveLength(1)
    expect(Math.abs(matching[0]!.span.start - at.start)).toBeLessThan(0.25)
    const others = events.filter(event => !expected.test(event.text) && !/silence|background/.test(event.text))
    expect(others).toEqual([])
  })
})

test('beeps that follow each other are counted, and those of another pitch are another event', async () => {
  const beeps = (pitch: number) => join(...Array.from({ length: 4 }, () => join(tone(0.2, pitch, 0.3), silence(0.3))))
  const events = await heard(join(silence(3), beeps(1000), silence(2), beeps(2500), silence(3)))
  expect(events.map(event => event.text).filter(text => text !== 'silence')).toEqual([
    '4 beeps near 1000 Hz (beep- or alarm-like)',
    '4 beeps near 2500 Hz (beep- or alarm-like)',
  ])
})

test('a sound that goes on past the end of a window is one event', async () => {
  const [event, ...rest] = (await heard(join(silence(14), loud(soundShape('siren', 5, 1)), silence(3)))).filter(
    event => event.text !== 'silence',
  )
  expect(rest).toEqual([])
  expect(overlap(event!.span, { start: 14, end: 19 })).toBeGreaterThan(4.8)
})

test('noise is told by where its power lies, and a fall in its level is an event', async () => {
  const events = await heard(join(noise(10, 0.4), noise(10, 0.04)))
  expect(events.map(event => event.text)).toEqual([
    expect.stringMatching(/hissing noise/),
    expect.stringMatching(/becomes much quieter \(by about (19|20|21) decibels\)/),
  ])
  expect(Math.abs(events[1]!.span.start - 10)).toBeLessThan(0.5)
})

test.skipIf(!hasFlite)('sentences are speech-like, and their words are no knocks or beeps', async () => {
  const { samples, said } = await spoken(['the doctor asked him to take the medicine', 'turn left at the bridge'])
  const events = (await heard(samples)).filter(event => event.text !== 'silence')
  expect(events.every(event => event.text.includes('speech-like'))).toBe(true)
  for (const { span } of said)
    expect(events.reduce((sum, event) => sum + overlap(event.span, span), 0)).toBeGreaterThan(
      0.9 * (span.end - span.start),
    )
})

const real = new URL('../../../shared/assets/audio-events/ina-musanmix.mp3', import.meta.url).pathname

test.skipIf(!existsSync(real))(
  'a recording of music, noise and a voice falls into these (needs ../shared/assets)',
  async () => {
    const args = ['-v', 'error', '-i', real, '-ar', '16000', '-ac', '1', '-f', 'f32le', '-']
    const { stdout } = await runProgram('ffmpeg', args)
    const samples = new Float32Array(new Uint8Array(stdout).buffer)
    const events = await heard(samples)
    const share = (kind: RegExp, span: Span) =>
      events.filter(event => kind.test(event.text)).reduce((sum, event) => sum + overlap(event.span, span), 0) /
      (span.end - span.start)
    expect(share(/music/, { start: 0, end: 22.5 })).toBeGreaterThan(0.95)
    expect(share(/nois/, { start: 29.1, end: 52.8 })).toBeGreaterThan(0.9)
    expect(share(/speech/, { start: 63.3, end: 73.8 })).toBeGreaterThan(0.95)
    expect(share(/music|speech/, { start: 23, end: 63 })).toBeLessThan(0.02)
  },
)
