import { describe, expect, test } from 'vitest'
import { listeners } from '../../models/hear/index.ts'
import { overlap } from '../../src/core/time.ts'
import { eachBackend } from './backends.ts'
import { modelFixture } from './model-fixture.ts'
import { all, join, noise, silence, soundFrom, tone } from './sound.ts'

const { signal } = new AbortController()
const cases = {
  openai: { skip: 'it needs a server' },
  onnx: { skip: 'it needs a model that has learnt to listen; models/hear/onnx.test.ts plays sounds to a random one' },
  ast: { settings: { folder: modelFixture('ast') } },
  clap: {
    settings: {
      folder: modelFixture('clap'),
      windowSeconds: 2,
      labels: ['music', 'a beep', 'static hiss', 'a clock ticking'],
      others: ['speech', 'silence'],
    },
  },
}
const quiet = /silence|quiet|nothing/i

describe('listeners', async () => {
  await eachBackend(listeners, cases, service => {
    const whole = (samples: Float32Array) => {
      const audio = soundFrom(samples)
      return all(service().hear({ audio, span: { start: 0, end: audio.duration } }, signal))
    }

    test('events carry words, lie inside the span and come in time order', async () => {
      const events = await whole(join(silence(2), tone(1, 900, 0.4), silence(2), noise(3, 0.2), silence(2)))
      expect(events.length).toBeGreaterThan(1)
      for (const [i, event] of events.entries()) {
        expect(event.track).toBe('sound')
        expect(event.text.trim()).not.toBe('')
        expect(event.span.start).toBeGreaterThanOrEqual(events[i - 1]?.span.start ?? 0)
        expect(event.span.end).toBeGreaterThan(event.span.start)
        expect(event.span.end).toBeLessThanOrEqual(10)
      }
    })

    test('a sound between two silences is heard where it is', async () => {
      const events = await whole(join(silence(4), tone(1, 900, 0.4), silence(4)))
      const heard = events.filter(event => !quiet.test(event.text))
      expect(heard.length).toBeGreaterThan(0)
      for (const { span } of heard) expect(overlap(span, { start: 3.5, end: 5.5 })).toBeGreaterThan(0)
    })

    test('nothing but quiet is heard in silence', async () => {
      expect((await whole(silence(6))).filter(event => !quiet.test(event.text))).toEqual([])
      expect(await whole(silence(0))).toEqual([])
    })

    test('only the span that was asked for is listened to, on the clock of the video', async () => {
      const audio = soundFrom(join(noise(60, 0.2), silence(6), tone(1, 900, 0.4), silence(5), noise(60, 0.2)))
      const events = await all(service().hear({ audio, span: { start: 62, end: 71 } }, signal))
      for (const { span } of events) expect(overlap(span, { start: 62, end: 71 })).toBeCloseTo(span.end - span.start)
      const heard = events.filter(event => !quiet.test(event.text))
      expect(heard.some(({ span }) => span.start > 65.5 && span.start < 66.5)).toBe(true)
      expect(audio.seconds).toBeLessThan(30)
    })

    test('a long sound is read in pieces', async () => {
      const audio = soundFrom(noise(70, 0.1))
      await all(service().hear({ audio, span: { start: 0, end: 70 } }, signal))
      expect(audio.seconds).toBeGreaterThanOrEqual(70)
      expect(audio.longest).toBeLessThanOrEqual(60)
    })

    test('an abort ends the listening with its reason', async () => {
      const abort = AbortSignal.abort(new Error('enough'))
      const audio = soundFrom(noise(5, 0.1))
      await expect(all(service().hear({ audio, span: { start: 0, end: 5 } }, abort))).rejects.toThrow('enough')
    })
  })
})
