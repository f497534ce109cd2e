import { expect, test } from 'vitest'
import { all, rate, soundFrom } from '../../../tests/contracts/sound.ts'
import { never, testHost } from '../../../tests/servers/host.ts'
import { lazyModel } from '../../onnx/card/lazy-model.ts'
import { WhisperVocabulary } from '../../prepare/vocabulary.ts'
import type { Features } from '../../sound/whisper-features.ts'
import whisper from '../whisper.ts'
import { Generation, WhisperShape } from './generation.ts'
import { Listening } from './listening.ts'
import type { DecodeRequest } from './messages.ts'
import type { WhisperModel } from './model.ts'
import { WhisperSettings } from './settings.ts'

const lang_to_id = { '<|en|>': 11, '<|de|>': 12, '<|fr|>': 13 }
const generation = Generation.parse({
  decoder_start_token_id: 1,
  eos_token_id: 2,
  no_timestamps_token_id: 50,
  is_multilingual: true,
  lang_to_id,
  task_to_id: { transcribe: 4 },
})
const shape = WhisperShape.parse({ d_model: 4, decoder_attention_heads: 1, decoder_layers: 1 })
const spans = [0, 40, 80, 120, 160].map(start => ({ start, end: start + 25 }))

interface Asked {
  language?: string
  tagged?: string
  retries?: number
  beams?: number
  before?: number[]
  // What the model writes of a window in a language, and how sure it is; without it, nothing.
  writes?: (
    window: number,
    language: number | undefined,
    beams: number,
  ) => { token: number; sure: number; times?: number }
  noSpeech?: number
}

// Each span is a window of its own, whose samples are its number. The model finds the scores of English, German and French that
// are given for it, and what is asked of it is kept.
async function heard(scores: number[][], request: Asked = {}) {
  const samples = new Float32Array(190 * rate)
  for (const [i, { start, end }] of spans.entries()) samples.fill(i + 1, start * rate, end * rate)
  const windowOf = ({ data }: Features) => Math.round(data[0]!) - 1
  const asked: number[] = []
  const written: { window: number; language: number | undefined; writing: DecodeRequest }[] = []
  const model = {
    async language(sound: Features) {
      asked.push(windowOf(sound))
      return scores[windowOf(sound)]!
    },
    async write(sounds: Features[], writing: DecodeRequest) {
      return sounds.map(sound => {
        const window = windowOf(sound)
        const spoken = writing.prompt[writing.start + 1]
        written.push({ window, language: spoken, writing })
        const told = request.writes?.(window, spoken, writing.beams ?? 1)
        if (!told) return { tokens: [], probabilities: [], noSpeech: 1 }
        const { token, sure, times = 1 } = told
        return {
          tokens: [begin, ...Array<number>(times).fill(token), begin + 50],
          probabilities: [1, ...Array<number>(times).fill(sure), 1],
          noSpeech: request.noSpeech ?? 0,
        }
      })
    },
  } as unknown as WhisperModel
  const listening = new Listening({
    settings: WhisperSettings.parse({ retries: request.retries ?? 0, beams: request.beams ?? 1 }),
    generation,
    shape,
    vocabulary,
    before: request.before ?? [],
    host: testHost(),
    features: {
      seconds: 30,
      of: async sound => ({ data: Float32Array.of(sound[sound.length >> 1]!), mels: 1, frames: 1 }),
    },
    model: lazyModel({ name: 'whisper', files: [], device: 'cpu', host: testHost() }, async () => model),
  })
  const { language, tagged } = request
  const lines = await all(listening.lines({ audio: soundFrom(samples), spans, language, tagged, found: {} }, never))
  expect([...new Set(written.map(({ window }) => window))]).toEqual([0, 1, 2, 3, 4])
  return { asked, written, lines, languages: [...new Set(written.map(one => one.language))] }
}

const begin = 51
// The pieces of tokens 20 to 22 are texts.
const vocabulary = new WhisperVocabulary({ pieces: '\n'.repeat(20) + ['the', 'das', 'le'].join('\n'), special: [] })

const english = [5, 0, 0]
const german = [0, 5, 0]
const french = [0, 0, 5]

test('an intro in another language does not decide: of three windows two do', async () => {
  expect(await heard([english, german, german, german, german])).toMatchObject({ asked: [0, 4, 2], languages: [12] })
})

test('two windows that agree are enough, and where none agree the surest is believed', async () => {
  expect(await heard([german, english, french, english, german])).toMatchObject({ asked: [0, 4], languages: [12] })
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
  expect(await heard(Array(5).fill(english), { language: 'fr', tagged: 'de' })).toMatchObject({
    asked: [],
    languages: [13],
  })
})

// A model that is sure of what it writes only in the language of the window.
const bilingual = (own: number[]) => (window: number, language: number | undefined) => ({
  token: (language ?? 0) + 9,
  sure: language === own[window] ? 0.9 : 0.001,
})

test('a window whose words are unsure is heard in its own language, where that is another', async () => {
  const writes = bilingual([11, 11, 12, 11, 11])
  const scores = [english, english, german, english, english]
  const { lines, written, asked } = await heard(scores, { writes, retries: 1 })
  expect(lines.map(({ text }) => text)).toEqual(['the', 'the', 'das', 'the', 'the'])
  expect(written.map(({ window, language }) => [window, language])).toEqual([
    [0, 11],
    [1, 11],
    [2, 11],
    [2, 12],
    [3, 11],
    [4, 11],
  ])
  expect(asked).toEqual([0, 4, 2])
})

test('what is no surer in its own language stays, a named language stays, and without retries nothing is heard again', async () => {
  const scores = [english, english, german, english, english]
  const vague = () => ({ token: 20, sure: 0.001 })
  const unsure = await heard(scores, { writes: vague, retries: 1 })
  expect(unsure.lines.map(({ text }) => text)).toEqual(Array(5).fill('the'))
  const writes = bilingual([11, 11, 12, 11, 11])
  const named = await heard(scores, { writes, retries: 1, language: 'en' })
  expect(named.languages).toEqual([11])
  expect((await heard(scores, { writes })).languages).toEqual([11])
})

test('a window with an unsure line is written again as the likeliest of several texts, and a sure one is not', async () => {
  // Of window 3 a likelier text is found, of window 1 none.
  const sure = [0.95, 0.5, 0.95, 0.5, 0.95]
  const found = [0.95, 0.4, 0.95, 0.9, 0.95]
  const writes = (window: number, _: unknown, beams: number) =>
    beams > 1 ? { token: 21, sure: found[window]! } : { token: 20, sure: sure[window]! }
  const { lines, written } = await heard(Array(5).fill(english), { writes, beams: 5, language: 'en' })
  expect(lines.map(({ text }) => text)).toEqual(['the', 'the', 'the', 'das', 'the'])
  expect(written.filter(({ writing }) => writing.beams === 5).map(({ window }) => window)).toEqual([1, 3])
})

test('a likelier text that goes in circles replaces none that does not', async () => {
  const writes = (_window: number, _language: unknown, beams: number) =>
    beams > 1 ? { token: 21, sure: 0.99, times: 40 } : { token: 20, sure: 0.5 }
  const { lines } = await heard(Array(5).fill(english), { writes, beams: 5, retries: 1, language: 'en' })
  expect(lines.map(({ text }) => text)).toEqual(Array(5).fill('the'))
})

test('an unsure line where the model hears no speech is dropped, though the window as a whole is sure', async () => {
  const writes = (window: number) => ({ token: 20, sure: window === 2 ? 0.3 : 0.9 })
  const { lines } = await heard(Array(5).fill(english), { writes, noSpeech: 0.7, language: 'en' })
  expect(lines.map(({ span }) => Math.round(span.start))).toEqual([0, 40, 120, 160])
})

test('a prompt stands before the start of the transcript, and leaves room for what is written', async () => {
  const before = [7, ...Array<number>(223).fill(20)]
  const { written } = await heard(Array(5).fill(english), { language: 'de', before })
  const [{ writing }] = written as [(typeof written)[number]]
  expect(writing.prompt).toEqual([...before, 1, 12, 4])
  expect(writing.start).toBe(224)
  expect(writing.maxTokens).toBe(448 - 227)
})

test('only transcripts without a named language are made again', () => {
  expect(whisper.versionFor?.(WhisperSettings.parse({}))).not.toBe(whisper.version)
  expect(whisper.versionFor?.(WhisperSettings.parse({ language: 'de' }))).toBe(whisper.version)
})
