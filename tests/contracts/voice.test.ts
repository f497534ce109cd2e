import { describe, expect, test } from 'vitest'
import { voiceFinders } from '../../models/voice/index.ts'
import { overlap, spanLength } from '../../src/core/time.ts'
import { eachBackend } from './backends.ts'
import { hasFlite, join, noise, silence, soundFrom, spoken } from './sound.ts'

const signal = new AbortController().signal
const sentences = ['the children walked slowly across the frozen river', 'turn left at the bridge']

describe('voice finders', async () => {
  await eachBackend(voiceFinders, {}, service => {
    describe.skipIf(!hasFlite)(`with spoken sentences${hasFlite ? '' : ' (skipped: flite is not installed)'}`, () => {
      test('each sentence lies in a span of its own that is little longer than the sentence', async () => {
        const { samples, said } = await spoken(sentences)
        const voices = await service().voices(soundFrom(samples), signal)
        expect(voices).toHaveLength(said.length)
        voices.forEach((voice, i) => {
          expect(overlap(voice, said[i]!.span)).toBeGreaterThan(0.9 * spanLength(said[i]!.span))
          expect(spanLength(voice)).toBeLessThan(spanLength(said[i]!.span) + 0.6)
        })
      })

      test('speech over steady noise is found', async () => {
        const { samples, said } = await spoken(sentences)
        const hiss = noise(samples.length / 16_000, 0.01)
        const voices = await service().voices(soundFrom(samples.map((sample, i) => sample + hiss[i]!)), signal)
        for (const { span } of said) {
          const heard = voices.reduce((sum, voice) => sum + overlap(voice, span), 0)
          expect(heard).toBeGreaterThan(0.8 * spanLength(span))
        }
      })

      test('speech that begins with the sound and ends with it is found to its ends', async () => {
        const { samples, said } = await spoken(sentences.slice(0, 1), { pause: 0 })
        const voices = await service().voices(soundFrom(samples), signal)
        expect(voices.reduce((sum, voice) => sum + overlap(voice, said[0]!.span), 0)).toBeGreaterThan(
          0.85 * spanLength(said[0]!.span),
        )
        expect(voices.at(-1)?.end).toBeLessThanOrEqual(said[0]!.span.end)
      })

      test('a minute later the same sentence is found a minute later, and no more than a minute is ever read at once', async () => {
        const { samples } = await spoken(sentences.slice(0, 1))
        const late = soundFrom(join(silence(60), samples))
        const [early] = await service().voices(soundFrom(samples), signal)
        const [found] = await service().voices(late, signal)
        expect(Math.abs(found!.start - early!.start - 60)).toBeLessThan(0.15)
        expect(late.longest).toBeLessThanOrEqual(60)
      })
    })

    test('nobody speaks in silence, nor in a sound without length', async () => {
      expect(await service().voices(soundFrom(silence(5)), signal)).toEqual([])
      expect(await service().voices(soundFrom(silence(0)), signal)).toEqual([])
    })

    test('an aborted search ends with the reason of the abort', async () => {
      const aborted = AbortSignal.abort(new Error('enough'))
      await expect(service().voices(soundFrom(noise(5, 0.1)), aborted)).rejects.toThrow('enough')
    })
  })
})
