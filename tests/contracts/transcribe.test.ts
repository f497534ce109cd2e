import { describe, expect, test } from 'vitest'
import { transcribers } from '../../models/transcribe/index.ts'
import { overlap, type Span } from '../../src/core/time.ts'
import { eachBackend } from './backends.ts'
import { modelFixture } from './model-fixture.ts'
import { all, hasFlite, join, noise, rate, silence, soundFrom, spoken } from './sound.ts'

const { signal } = new AbortController()
const sentences = [
  'the children walked slowly across the frozen river',
  'the price of bread has doubled since last summer',
]
const speech = hasFlite ? await spoken(sentences, { pause: 2 }) : { samples: silence(12), said: [] }
const cues = speech.said.map(({ text, span }) => ({ text, span }))

const cases = {
  subtitles: { settings: { cues } },
  whisper: { settings: { folder: modelFixture('whisper'), device: 'cpu' } },
  parakeet: { settings: { folder: modelFixture('parakeet'), device: 'cpu', precision: 'fp32' } },
  openai: { skip: 'it needs a server' },
}

// The tiny Whisper knows one sentence and writes it whatever is said, and the tiny Parakeet knows a few in one rhythm: their rows
// are held to everything but their words.
const wordless = (name: string) =>
  name === 'whisper' || name === 'parakeet' ? ' (skipped: without real weights it cannot tell what is said)' : ''

describe.skipIf(!hasFlite)(`transcribers${hasFlite ? '' : ' (skipped: flite is not installed)'}`, async () => {
  await eachBackend(transcribers, cases, (service, name) => {
    const spans = speech.said.map(({ span }) => span)
    const heard = (samples: Float32Array, spans: Span[], language = 'en') =>
      all(service().transcribe({ audio: soundFrom(samples), spans, language }, signal))

    test('lines come in time order and lie in what was listened to, their words inside them and in time order', async () => {
      const lines = await heard(speech.samples, spans)
      expect(lines.length).toBeGreaterThan(0)
      for (const [i, { track, span, text, words = [], confidence = 0 }] of lines.entries()) {
        expect(track).toBe('speech')
        expect(text.trim()).not.toBe('')
        expect(span.end).toBeGreaterThan(span.start)
        expect(span.start).toBeGreaterThanOrEqual(lines[i - 1]?.span.start ?? 0)
        expect(span.end).toBeLessThanOrEqual(speech.samples.length / rate)
        expect(spans.some(wanted => overlap(span, wanted) > 0)).toBe(true)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
        for (const [i, word] of words.entries()) {
          expect(word.start).toBeGreaterThanOrEqual(words[i - 1]?.start ?? span.start)
          expect(word.end).toBeGreaterThanOrEqual(word.start)
          expect(word.end).toBeLessThanOrEqual(span.end)
        }
      }
    })

    test.skipIf(wordless(name))(
      `the words of each sentence are found where they were said${wordless(name)}`,
      async () => {
        const lines = await heard(speech.samples, spans)
        expect(lines.length).toBeGreaterThanOrEqual(2)
        for (const { text, span } of speech.said) {
          const heard = lines.filter(line => overlap(line.span, span) > 0).map(line => line.text)
          const found = text.split(' ').filter(word => heard.join(' ').toLowerCase().split(/\W+/).includes(word))
          expect(found.length / text.split(' ').length).toBeGreaterThan(0.7)
        }
      },
    )

    test('only the given spans are listened to', async () => {
      const lines = await heard(speech.samples, [spans[1]!])
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(overlap(line.span, spans[1]!)).toBeGreaterThan(0)
      if (!wordless(name)) expect(lines.map(line => line.text).join(' ')).not.toMatch(/children|river/)
    })

    test('two spans that lie far apart give together what they give apart', async () => {
      const far = spans.map(({ start, end }, i) => ({ start: start + i * 30, end: end + i * 30 }))
      const cut = Math.round((spans[0]!.end + 1) * rate)
      const samples = join(speech.samples.slice(0, cut), silence(30), speech.samples.slice(cut))
      const apart = [...(await heard(samples, [far[0]!])), ...(await heard(samples, [far[1]!]))]
      expect(apart.length).toBeGreaterThan(0)
      const together = await heard(samples, far)
      expect(together.map(line => line.text)).toEqual(apart.map(line => line.text))
      for (const [i, { span }] of together.entries()) {
        expect(Math.abs(span.start - apart[i]!.span.start)).toBeLessThan(0.1)
        expect(Math.abs(span.end - apart[i]!.span.end)).toBeLessThan(0.1)
      }
    })

    test('no spans, no lines, and nothing is read for it', async () => {
      const audio = soundFrom(join(silence(2), noise(2, 0.01)))
      expect(await all(service().transcribe({ audio, spans: [] }, signal))).toEqual([])
      expect(audio.seconds).toBe(0)
    })

    test.skipIf(name === 'subtitles')(
      `sound of no length gives no lines, and silence no words${name === 'subtitles' ? ' (skipped: it listens to nothing)' : ''}`,
      async () => {
        expect(await heard(silence(0), [{ start: 0, end: 5 }])).toEqual([])
        expect(await heard(silence(6), [{ start: 0, end: 6 }])).toEqual([])
      },
    )

    test('an abort ends the listening, before it begins and in its midst', async () => {
      const aborted = AbortSignal.abort(new Error('enough'))
      const lines = all(service().transcribe({ audio: soundFrom(speech.samples), spans }, aborted))
      await expect(lines).rejects.toThrow()
      const abort = new AbortController()
      const audio = soundFrom(speech.samples)
      const read = audio.read
      audio.read = span => {
        abort.abort(new Error('enough'))
        return read.call(audio, span)
      }
      const cut = all(service().transcribe({ audio, spans }, abort.signal))
      if (name === 'subtitles') await cut
      else await expect(cut).rejects.toThrow(/enough|interrupted/)
    })
  })
})
