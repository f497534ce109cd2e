import { z } from 'zod'
import { Precision } from '../../hub/hub-model.ts'
import { batchSetting } from '../../onnx/batches.ts'
import { onnxModelSettings } from '../../onnx/device.ts'

// Short names for repositories of the hub; "timestamped" ones give the time of each word.
export const whisperModels = {
  tiny: 'onnx-community/whisper-tiny_timestamped',
  base: 'onnx-community/whisper-base_timestamped',
  small: 'onnx-community/whisper-small_timestamped',
  turbo: 'onnx-community/whisper-large-v3-turbo_timestamped',
  'large-v3-turbo': 'onnx-community/whisper-large-v3-turbo_timestamped',
  'large-v3': 'Xenova/whisper-large-v3',
}

export const whisperBatch = { cpu: 1, card: 8 }

export const WhisperSettings = z.strictObject({
  ...onnxModelSettings(whisperModels, 'small'),
  decoder: z
    .enum(['merged', 'with-past'])
    .default('merged')
    .describe(
      'which files the decoder is read from: one with a switch, or one for the first step and one for the others',
    ),
  decoderPrecision: Precision.optional().describe('precision of the decoder only; without it, that of the whole'),
  task: z.enum(['transcribe', 'translate']).default('transcribe').describe('translate: into English'),
  language: z.string().optional().describe('as "en"; without it, found by the model in up to three windows'),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe('names and terms that occur, to spell them right; as text that was said before'),
  batch: batchSetting(whisperBatch, 'windows at once'),
  overlapSeconds: z.number().min(0.2).max(5).default(1).describe('heard twice where long speech is cut'),
  beams: z
    .number()
    .int()
    .min(1)
    .max(10)
    .default(5)
    .describe('texts that grow side by side where a line of a window is unsure; 1: none'),
  retries: z
    .number()
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('how often a window is heard again, a little by chance, where its words are unsure or go in circles'),
})
export type WhisperSettings = z.infer<typeof WhisperSettings>

// 8 bits halve the time of a token on the processor. The encoder, whose numbers every token rests on, keeps 32 there, and so does a
// small decoder: its tokens cost little time, and 8 bits cost it words. Its size is that of its files of 32 bits; the name says it
// before they are fetched.
export const smallDecoder = { bytes: 400e6, names: /whisper-(tiny|base)/ }

// The files that each kind of decoder is read from.
export const decoders: Record<WhisperSettings['decoder'], [first: string, ...withPast: string[]]> = {
  merged: ['decoder_model_merged'],
  'with-past': ['decoder_model', 'decoder_with_past_model'],
}
