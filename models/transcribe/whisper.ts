import type { Backend } from '../../src/core/backend.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { hubModel, modelNeeds } from '../hub/hub-model.ts'
import { decoders, models, WhisperSettings } from './whisper/settings.ts'

const files = ['config.json', 'generation_config.json', 'preprocessor_config.json', 'tokenizer.json']
const wanted = (settings: WhisperSettings) =>
  hubModel(settings, models, {
    files: settings.prompt ? [...files, 'tokenizer_config.json'] : files,
    parts: ['encoder_model', ...decoders[settings.decoder]],
  })

// Whisper through ONNX Runtime: speech is packed into windows, cut at pauses where it is long, and written with times.
const whisper: Backend<Transcriber, WhisperSettings> = {
  summary: 'speech to text in about a hundred languages by Whisper on this machine',
  version: '1',
  versionFor: settings => (settings.language ? '1' : '3'),
  settings: WhisperSettings,
  needs: settings => modelNeeds(wanted(settings)),
  // What runs it loads when it is opened: every command looks at whether its files are there.
  open: async (settings, host) =>
    (await import('./whisper/transcriber.ts')).openTranscriber(wanted(settings), settings, host),
}

export default whisper
