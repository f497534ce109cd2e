import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { hubModel, hubSettings, modelNeeds, onnxFile, openModelFolder } from '../hub/hub-model.ts'
import { onnxSettings } from '../onnx/device.ts'
import { whileUsed } from '../onnx/while-used.ts'
import { preparedVocabulary, preparedWhisper } from '../prepare/prepare.ts'
import { WhisperSound } from '../sound/whisper-features.ts'
import { withoutLoops } from './openai/loops.ts'
import { Generation, WhisperShape } from './whisper/generation.ts'
import { Listening } from './whisper/listening.ts'
import { openWhisper } from './whisper/model.ts'
import { Vocabulary } from './whisper/vocabulary.ts'

// Short names for repositories of the hub; "timestamped" ones tell when each word was said.
const models = {
  tiny: 'onnx-community/whisper-tiny_timestamped',
  base: 'onnx-community/whisper-base_timestamped',
  small: 'onnx-community/whisper-small_timestamped',
  'large-v3-turbo': 'onnx-community/whisper-large-v3-turbo_timestamped',
  'large-v3': 'Xenova/whisper-large-v3',
}

const Settings = z.strictObject({
  model: z
    .string()
    .min(1)
    .default('small')
    .describe(`${Object.keys(models).join(', ')}, or a repository of the hub`),
  ...hubSettings,
  ...onnxSettings,
  decoder: z
    .enum(['merged', 'with-past'])
    .default('merged')
    .describe(
      'which files the decoder is read from: one with a switch, or one for the first step and one for the others',
    ),
  task: z.enum(['transcribe', 'translate']).default('transcribe').describe('translate: into English'),
  language: z.string().optional().describe('as "en"; without it, of the audio track, or found by the model'),
  batch: z.number().int().positive().default(1).describe('windows at once; halved where they do not fit into memory'),
  overlapSeconds: z.number().min(0.2).max(5).default(1).describe('heard twice where long speech is cut'),
  retries: z
    .number()
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('how often a window is heard again, a little by chance, where its words are unsure or go in circles'),
})
export type WhisperSettings = z.infer<typeof Settings>

const files = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json']
const decoders = { merged: ['decoder_model_merged'], 'with-past': ['decoder_model', 'decoder_with_past_model'] }
const wanted = (settings: WhisperSettings) =>
  hubModel(settings, models, { files, parts: ['encoder_model', ...decoders[settings.decoder]] })

// Whisper through ONNX Runtime: speech is packed into windows, cut at pauses where it is long, and written with times.
const whisper: Backend<Transcriber, WhisperSettings> = {
  summary: 'speech to text in about a hundred languages by Whisper on this machine',
  version: '1',
  settings: Settings,
  needs: settings => modelNeeds(wanted(settings)),
  open: openTranscriber,
}

export default whisper

async function openTranscriber(settings: WhisperSettings, host: Host): Promise<Transcriber> {
  const folder = await openModelFolder(wanted(settings), host)
  const generation = await folder.json('generation_config.json', Generation)
  const shape = await folder.json('config.json', WhisperShape)
  const sound = await folder.json('preprocessor_config.json', WhisperSound)
  const features = {
    seconds: sound.chunk_length,
    of: (samples: Float32Array, signal: AbortSignal) => preparedWhisper(samples, sound, signal),
  }
  const words = await preparedVocabulary(folder.file('tokenizer.json'), host.signal).catch(cause => {
    host.signal.throwIfAborted()
    throw folder.unreadable('tokenizer.json', cause)
  })
  const vocabulary = new Vocabulary(words)
  const [encoder, decoder, decoderWithPast] = ['encoder_model', ...decoders[settings.decoder]].map(part =>
    folder.file(onnxFile(part, settings.precision)),
  )
  const name = `whisper ${settings.folder ?? settings.model}`
  const model = whileUsed(() => openWhisper({ name, encoder, decoder, decoderWithPast }, shape, settings, host))
  const listening = new Listening({ settings, generation, shape, features, vocabulary, model, host })
  return {
    transcribe({ audio, spans, language }, signal) {
      const asked = settings.language ?? language
      refuseOther(name, asked, generation)
      return withoutLoops(listening.lines(audio, spans, asked, signal))
    },
    close: model.close,
  }
}

function refuseOther(name: string, language: string | undefined, { is_multilingual }: Generation): void {
  if (is_multilingual || !language || /^(en|eng|english|und)\b/i.test(language)) return
  throw new UsageError(`${name} knows English only, and the speech is said to be "${language}".`, {
    hint: 'Choose a model without ".en" in its name.',
  })
}
