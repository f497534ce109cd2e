import { expect, test } from 'vitest'
import { all, rate, soundFrom } from '../../../tests/contracts/sound.ts'
import { never, testHost } from '../../../tests/servers/host.ts'
import { lazyModel } from '../../onnx/card/lazy-model.ts'
import type { Features } from '../../sound/whisper-features.ts'
import whisper from '../whisper.ts'
import { Generation, WhisperShape } from './generation.ts'
import { Listening } from './listening.ts'
import type { Writing } from './messages.ts'
import type { WhisperModel } from './model.ts'
import { WhisperSettings } from './settings.ts'
import { Vocabulary } from './vocabulary.ts'

const lang_to_id = { '<|en|>': 11, '<|de|>': 12, '<|fr|>': 13 }
const generation = Generation.parse({
  ...{ decoder_start_token_id: 1, eos_token_id: 2, no_timestamps_token_id: 3, is_multilingual: true },
  ...{ lang_to_id, task_to_id: { transcribe: 4 } },
})
const shape = WhisperShape.parse({ d_model: 4, decoder_attention_heads: 1, decoder_layers: 1 })
const spans = [0, 40, 80, 120, 160].map(start => ({ start, end: start + 25 }))

// Each span is a window of its own, whose samples are its number. The model finds the scores of English, German and French that
// are given for it, and what is asked of it is kept.
async function heard(scores: number[][], request: { language?: string; tagged?: string } = {}) {
  const samples = new Float32Array(190 * rate)
  for (const [i, { start, end }] of spans.entries()) samples.fill(i + 1, start * rate, end * rate)
  const windowOf = ({ data }: Features) => Math.round(data[0]!) - 1
  const asked: number[] = []
  const written: { window: number; language: number | undefined }[] = []
  const model = {
    async language(sound: Features) {
      asked.push(windowOf(sound))
      return scores[windowOf(sound)]!
    },
    async write(sounds: Features[], { prompt }: Writing) {
      for (const sound of sounds) written.push({ window: windowOf(sound), language: prompt[1] })
      return sounds.map(() => ({ tokens: [], probabilities: [], noSpeech: 1 }))
    },
  } as unknown as WhisperModel
  const listening = new Listening({
    settings: WhisperSettings.parse({ retries: 0 }),
    ...{ generation, shape, vocabulary: new Vocabulary({ pieces: '', special: [] }), host: testHost() },
    features: {
      seconds: 30,
      of: async sound => ({ data: Float32Array.of(sound[sound.length >> 1]!), mels: 1, frames: 1 }),
    },
    model: lazyModel({ name: 'whisper', files: [], device: 'cpu', host: testHost() }, async () => model),
  })
  const { language, tagged } = request
  await all(listening.lines({ audio: soundFrom(samples), spans, language, tagged }, never))
  expect(written.map(({ window }) => window)).toEqual([0, 1, 2, 3, 4])
  return { asked, languages: [...new Set(written.map(one => one.language))] }
}

const english = [5, 0, 0]
const german = [0, 5, 0]
const french = [0, 0, 5]

test('an intro in another language does not decide: of three windows two do', async () => {
  expect(await heard([english, german, german, german, german])).toEqual({ asked: [0, 4, 2], languages: [12] })
})

test('two windows that agree are enough, and where none agree the surest is believed', async () => {
  expect(await heard([german, english, french, english, german])).toEqual({ asked: [0, 4], languages: [12] })
  expect((await heard([english, english, [0, 0, 9], english, german])).languages).toEqual([13])
})

test('the tag of the file decides where the sound is unclear, and nothing else', async () => {
  const unclear = [0.5, 0, 0]
  expect((await heard(Array(5).fill(unclear))).languages).toEqual([11])
  expect((await heard(Array(5).fill(unclear), { tagged: 'ger' })).languages).toEqual([12])
  expect((await heard(Array(5).fill(english), { tagged: 'ger' })).languages).toEqual([11])
  expect((await heard(Array(5).fill(unclear), { tagged: 'xx' })).languages).toEqual([11])
})

test('a language that is named is not asked for', async () => {
  expect(await heard(Array(5).fill(english), { language: 'fr', tagged: 'de' })).toEqual({ asked: [], languages: [13] })
})

test('only transcripts without a named language are made again', () => {
  expect(whisper.versionFor?.(WhisperSettings.parse({}))).not.toBe(whisper.version)
  expect(whisper.versionFor?.(WhisperSettings.parse({ language: 'de' }))).toBe(whisper.version)
})
