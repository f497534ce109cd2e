import { z } from 'zod'
import type { Backend, Host, ModelNeed } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Finding, Word } from '../../src/core/evidence.ts'
import type { Transcriber } from '../../src/core/services.ts'
import type { Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { hubModel, hubSettings, modelNeeds, openModelFolder } from '../hub/hub-model.ts'
import { filesIn } from '../hub/model-folder.ts'
import type { Recognised } from '../sherpa/messages.ts'
import { sherpaPackage, sherpaSettings } from '../sherpa/package.ts'
import { sherpaModel } from '../sherpa/sherpa-process.ts'
import { hearEverySpan } from './hear-every-span.ts'
import { speechLines, withoutLoops } from './speech-lines.ts'
import { reels } from './splice-speech.ts'

const whisperFiles = (size: string) => [`${size}-encoder.int8.onnx`, `${size}-decoder.int8.onnx`, `${size}-tokens.txt`]

// Repositories of the hub with the files that are read of them.
const models = {
  'sense-voice': {
    repository: 'csukuangfj/sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
    files: ['model.int8.onnx', 'tokens.txt'],
  },
  'whisper-tiny': { repository: 'csukuangfj/sherpa-onnx-whisper-tiny', files: whisperFiles('tiny') },
  'whisper-base': { repository: 'csukuangfj/sherpa-onnx-whisper-base', files: whisperFiles('base') },
  'whisper-small': { repository: 'csukuangfj/sherpa-onnx-whisper-small', files: whisperFiles('small') },
}
type Name = keyof typeof models

const Settings = z.strictObject({
  model: z
    .enum(Object.keys(models) as [Name, ...Name[]])
    .default('sense-voice')
    .describe(
      'sense-voice: Chinese, Cantonese, English, Japanese, Korean, with times of words; whisper: many languages',
    ),
  revision: hubSettings.revision,
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'a folder of your own, instead of the hub: tokens.txt with an encoder, a decoder and a joiner (transducer: Zipformer, Parakeet), with an encoder and a decoder (Whisper), or with a model (SenseVoice)',
    ),
  language: z.string().optional().describe('as "en"; without it, found by the model'),
  ...sherpaSettings,
})
type Settings = z.infer<typeof Settings>

const longest = 25 // seconds that are recognised at once
const margin = 0.2 // seconds heard around each span

const sherpa: Backend<Transcriber, Settings> = {
  summary: 'speech to text by sherpa-onnx: small models of many languages on the processor',
  version: '1',
  settings: Settings,
  needs: settings => [sherpaPackage.need(settings.packageFolder), ...modelNeed(settings)],
  async open(settings, host) {
    const config = await buildConfig(settings, host)
    const model = sherpaModel(
      'transcribe/sherpa',
      { kind: 'open recogniser', package: sherpaPackage.path(settings.packageFolder), config },
      host,
    )
    async function* lines(audio: AudioSource, spans: Span[], signal: AbortSignal) {
      for await (const { pieces } of reels(audio, spans, { length: 0, maxPiece: longest, margin })) {
        for (const { span } of pieces) {
          const samples = await audio.read(span)
          yield* toLines(await model.ask<Recognised>({ kind: 'recognise', samples }, signal), span)
        }
      }
    }
    return {
      transcribe: ({ audio, spans }, signal) =>
        withoutLoops(hearEverySpan(spans, parts => lines(audio, parts, signal))),
      close: model.close,
    }
  },
}

export default sherpa

function openModel({ model, revision }: Settings) {
  const { repository, files } = models[model]
  return hubModel({ model: repository, revision, precision: 'fp32' }, {}, { files, parts: [] })
}

function modelNeed(settings: Settings): ModelNeed[] {
  const { folder } = settings
  if (!folder) return modelNeeds(openModel(settings))
  const mend = 'Put tokens.txt and the .onnx files of a transducer, Whisper or SenseVoice there.'
  return [
    { name: `the model files in ${folder}`, met: async () => findLayout(await filesIn(folder)) !== undefined, mend },
  ]
}

async function buildConfig(settings: Settings, host: Host): Promise<object> {
  const { folder = '', language = '', threads } = settings
  const model = settings.folder ? { ...openModel(settings), folder, files: [] } : openModel(settings)
  const open = await openModelFolder(model, host)
  const layout = findLayout(await filesIn(open.path))
  if (!layout) throw new UsageError(`${open.path} holds no transducer, Whisper or SenseVoice model.`)
  const { tokens, kind, ...files } = layout
  const paths = Object.fromEntries(Object.entries(files).map(([part, name]) => [part, open.file(name)]))
  const more = kind === 'transducer' ? {} : { language }
  const kindSettings = kind === 'senseVoice' ? { ...more, useInverseTextNormalization: 1 } : more
  return {
    modelConfig: { [kind]: { ...paths, ...kindSettings }, tokens: open.file(tokens), numThreads: threads, debug: 0 },
  }
}

type Layout = { tokens: string } & (
  | { kind: 'transducer'; encoder: string; decoder: string; joiner: string }
  | { kind: 'whisper'; encoder: string; decoder: string }
  | { kind: 'senseVoice'; model: string }
)

// What sort of model a folder holds, by the names of its files; of two precisions the smaller.
export function findLayout(files: readonly string[]): Layout | undefined {
  const find = (part: RegExp) => {
    const matches = files.filter(file => part.test(file) && !file.includes('/'))
    return matches.find(file => file.includes('int8')) ?? matches[0]
  }
  const tokens = find(/tokens\.txt$/)
  const [encoder, decoder, joiner, model] = ['encoder', 'decoder', 'joiner', 'model'].map(part =>
    find(new RegExp(`(^|-)${part}.*\\.onnx$`)),
  )
  if (!tokens) return undefined
  if (encoder && decoder)
    return joiner
      ? { kind: 'transducer', tokens, encoder, decoder, joiner }
      : { kind: 'whisper', tokens, encoder, decoder }
  return model ? { kind: 'senseVoice', tokens, model } : undefined
}

function toLines(heard: Recognised, span: Span): Finding[] {
  const words = toWords(heard, span)
  if (words.length > 0) return speechLines(words).map(line => ({ ...line, text: line.text.replaceAll(between, '') }))
  const text = heard.text.trim()
  return text === '' ? [] : [{ span, track: 'speech', text }]
}

// Tokens are pieces of words: one that begins with a space or is of a script without spaces begins a word.
function toWords({ tokens = [], timestamps = [] }: Recognised, { start, end }: Span): Word[] {
  if (timestamps.length < tokens.length) return []
  const words: Word[] = []
  for (const [at, token] of tokens.entries()) {
    const text = token.replaceAll('▁', ' ')
    if (/^<.*>$/.test(text.trim()) || text.trim() === '') continue
    const from = Math.min(end, start + (timestamps[at] ?? 0))
    const next = timestamps[at + 1] // the last word lasts as long as the voice
    const to = next === undefined ? Math.max(from, end - margin) : Math.min(end, start + next)
    const last = words.at(-1)
    if (last && !/^\s/.test(text) && !unspaced.test(text)) {
      last.text += text.trim()
      last.end = to
    } else words.push({ text: text.trim(), start: from, end: to })
  }
  for (const word of words) word.end = Math.min(word.end, word.start + maxWord)
  return words
}

const maxWord = 1 // seconds: the pause after a word is not part of it
const letter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`
const unspaced = new RegExp(`^${letter}`, 'u')
const between = new RegExp(`(?<=${letter}) (?=${letter})`, 'gu')
