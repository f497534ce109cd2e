import { describe, expect, test } from 'vitest'
import { transcribers } from '../../models/transcribe/index.ts'
import { overlap } from '../../src/core/time.ts'
import { eachBackend } from './backends.ts'
import { all, hasFlite, join, noise, silence, soundFrom, spoken } from './sound.ts'

const { signal } = new AbortController()
const sentences = [
  'the children walked slowly across the frozen river',
  'the price of bread has doubled since last summer',
]
const speech = hasFlite ? await spoken(sentences, { pause: 2 }) : { samples: silence(12), said: [] }
const cues = speech.said.map(({ text, span }) => ({ text, span }))

describe.skipIf(!hasFlite)(`transcribers${hasFlite ? '' : ' (skipped: flite is not installed)'}`, async () => {
  const server = { skip: 'it needs a server' }
  await eachBackend(transcribers, { subtitles: { settings: { cues } }, openai: server }, service => {
    const spans = speech.said.map(({ span }) => span)

    test('the words of each sentence are found, in time order and where they were said', async () => {
      const lines = await all(service().transcribe({ audio: soundFrom(speech.samples), spans }, signal))
      expect(lines.length).toBeGreaterThanOrEqual(2)
      for (const { text, span } of speech.said) {
        const heard = lines.filter(line => overlap(line.span, span) > 0).map(line => line.text)
        const found = text.split(' ').filter(word => heard.join(' ').toLowerCase().split(/\W+/).includes(word))
        expect(found.length / text.split(' ').length).toBeGreaterThan(0.7)
      }
      for (const [i, { track, span, words = [], confidence = 0 }] of lines.entries()) {
        expect(track).toBe('speech')
        expect(span.start).toBeGreaterThanOrEqual(lines[i - 1]?.span.start ?? 0)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
        for (const [i, word] of words.entries()) {
          expect(word.start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? span.start)
          expect(word.end).toBeGreaterThanOrEqual(word.start)
          expect(word.end).toBeLessThanOrEqual(span.end)
        }
      }
    })

    test('only the given spans are listened to', async () => {
      const lines = await all(service().transcribe({ audio: soundFrom(speech.samples), spans: [spans[1]] }, signal))
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(overlap(line.span, spans[1])).toBeGreaterThan(0)
      expect(lines.map(line => line.text).join(' ')).not.toMatch(/children|river/)
    })

    test('no spans, no lines, and nothing is read for it', async () => {
      const audio = soundFrom(join(silence(2), noise(2, 0.01)))
      expect(await all(service().transcribe({ audio, spans: [] }, signal))).toEqual([])
      expect(audio.seconds).toBe(0)
    })

    test('an abort ends the listening', async () => {
      const aborted = AbortSignal.abort(new Error('enough'))
      const lines = all(service().transcribe({ audio: soundFrom(speech.samples), spans }, aborted))
      await expect(lines).rejects.toThrow()
    })
  })
})
