import type { Backend } from '../../src/core/backend.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { hubModel, modelNeeds, onnxFile } from '../hub/hub-model.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { decoders, onProcessor, WhisperSettings, whisperModels } from './whisper/settings.ts'

const files = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json']
const modelFor = (settings: WhisperSettings) =>
  hubModel(settings, whisperModels, {
    files: [
      ...files,
      ...(settings.prompt ? ['tokenizer_config.json'] : []),
      ...decoders[settings.decoder].map(part => onnxFile(part, settings.decoderPrecision ?? settings.precision)),
    ],
    parts: ['encoder_model'],
  })

// Whisper through ONNX Runtime: speech is packed into windows, cut at pauses where it is long, and written with times.
const whisper: Backend<Transcriber, WhisperSettings> = {
  summary: 'speech to text in about a hundred languages by Whisper on this machine',
  version: '2',
  versionFor: settings => (settings.language ? '2' : '4'),
  settings: WhisperSettings,
  resolve: (settings, host) =>
    resolveAuto(settings, host, { wanted: modelFor, onProcessor: settings.decoderPrecision ? {} : onProcessor }),
  needs: settings => modelNeeds(modelFor(settings)),
  // What runs it loads when it is opened: every command looks at whether its files are there.
  open: async (settings, host) =>
    (await import('./whisper/transcriber.ts')).openWhisperTranscriber(modelFor(settings), settings, host),
}

export default whisper
