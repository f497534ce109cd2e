import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { hubModel, hubSettings, modelNeeds } from '../hub/hub-model.ts'
import { onnxSettings } from '../onnx/device.ts'

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
export const decoders = { merged: ['decoder_model_merged'], 'with-past': ['decoder_model', 'decoder_with_past_model'] }
const wanted = (settings: WhisperSettings) =>
  hubModel(settings, models, { files, parts: ['encoder_model', ...decoders[settings.decoder]] })

// Whisper through ONNX Runtime: speech is packed into windows, cut at pauses where it is long, and written with times.
const whisper: Backend<Transcriber, WhisperSettings> = {
  summary: 'speech to text in about a hundred languages by Whisper on this machine',
  version: '1',
  settings: Settings,
  needs: settings => modelNeeds(wanted(settings)),
  // What runs it loads when it is opened: every command looks at whether its files are there.
  open: async (settings, host) =>
    (await import('./whisper/transcriber.ts')).openTranscriber(wanted(settings), settings, host),
}

export default whisper
