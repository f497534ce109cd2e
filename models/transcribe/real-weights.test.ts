import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { overlap } from '../../src/core/time.ts'
import { notUnderstood } from '../../src/core/words/not-understood.ts'
import { speak } from '../../src/media/speak.ts'
import { all, hasFlite, join, rate, silence, soundFrom } from '../../tests/contracts/sound.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { wordErrors } from '../../tests/support/word-errors.ts'
import { voiceFinders } from '../voice/index.ts'
import { transcribers } from './index.ts'

const assets = fileURLToPath(new URL('../../../shared/assets/', import.meta.url))
const folder = `${assets}models/whisper-tiny.en`
const missing = !existsSync(folder)
  ? 'no Whisper tiny.en beside the checkout'
  : hasFlite
    ? ''
    : 'flite is not installed'

const sentences = [
  'The harbour was quiet before the boats came in.',
  'Nobody expected the price of copper to fall so quickly.',
  'She keeps her tools in a wooden box under the stairs.',
  'The train to the mountains leaves at half past six.',
  'A small fire broke out in the kitchen of the hotel.',
  'His grandmother taught him how to bake bread.',
  'The museum opens a new room for children in spring.',
  'Heavy rain closed the road between the two villages.',
  'The committee will vote on the proposal tomorrow morning.',
  'Two hundred people signed the letter to the mayor.',
  'The doctor asked her to come back after three weeks.',
  'They painted the front door bright yellow.',
]
const pauses = [1, 2.5, 0.6, 6, 3.2, 12, 0.8, 2, 9, 1.6, 4, 5]

afterAll(closeAll)

function soundOf(file: string): Float32Array {
  const args = ['-v', 'error', '-i', `${assets}${file}`, '-ac', '1', '-ar', `${rate}`, '-f', 'f32le', '-']
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 26 })
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

async function heard(samples: Float32Array) {
  const audio = soundFrom(samples)
  const voices = closeLater(await voiceFinders.open('silero', {}, testHost()))
  const settings = { folder, precision: 'fp32', decoderPrecision: 'q8', device: 'cpu' }
  const whisper = closeLater(await transcribers.open('whisper', settings, testHost()))
  const spans = await voices.voices(audio, never)
  return { spans, lines: await all(whisper.transcribe({ audio, spans }, never)) }
}

describe.skipIf(missing)(`Whisper tiny.en with real weights${missing && ` (skipped: ${missing})`}`, () => {
  test('each of twelve sentences with pauses between them has a line at its time, and few words are wrong', async () => {
    const voices = await Promise.all(sentences.map((text, i) => speak(text, i % 2 ? 'rms' : 'slt')))
    const { spans, lines } = await heard(join(...voices.flatMap((voice, i) => [voice, silence(pauses[i]!)])))
    let at = 0
    for (const [i, voice] of voices.entries()) {
      const said = { start: at, end: at + voice.length / rate }
      const own = lines.filter(line => overlap(line.span, said) > 0.3)
      expect(own.length, sentences[i]).toBeGreaterThan(0)
      for (const { span } of own) {
        expect(span.start, sentences[i]).toBeGreaterThan(said.start - 0.7)
        expect(span.end, sentences[i]).toBeLessThan(said.end + 0.7)
      }
      at = said.end + pauses[i]!
    }
    expect(
      notUnderstood(
        spans,
        lines.map(({ span }) => span),
      ),
    ).toEqual([])
    const { errors, words } = wordErrors(sentences.join(' '), lines.map(({ text }) => text).join(' '))
    expect(errors / words).toBeLessThan(0.12)
  }, 180_000)

  test.each(['audio-events/moviepy-rain.mp3', 'video/moviepy-bbb_0_30.webm'])(
    'nothing is said in %s',
    async file => {
      const { lines } = await heard(soundOf(file))
      expect(lines.map(({ text }) => text)).toEqual([])
    },
    120_000,
  )

  test('music and noise say nothing before the voice that comes after them', async () => {
    const mix = soundOf('audio-events/ina-musanmix.mp3') // music to 22.5, noise from 29.1 to 55.7, a voice from 63.3
    const { lines } = await heard(mix.subarray(10 * rate, 67 * rate))
    expect(lines.length).toBeGreaterThan(0)
    for (const { span } of lines) expect(span.start).toBeGreaterThan(52.5)
  }, 120_000)

  test('a telephone call of two who interrupt each other is understood but for a word in five', async () => {
    const said = readFileSync(`${assets}speech/pyannote-sample.stm`, 'utf8')
      .split('\n')
      .map(line => line.replace(/^(\S+ +){5}(<\S+> +)?/, ''))
    const { lines } = await heard(soundOf('speech/pyannote-sample.wav'))
    const { errors, words } = wordErrors(said.join(' '), lines.map(({ text }) => text).join(' '))
    expect(words).toBe(81)
    expect(errors / words).toBeLessThan(0.2)
  }, 120_000)
})
