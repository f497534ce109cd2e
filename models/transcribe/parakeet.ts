import type { Backend } from '../../src/core/backend.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { hubModel, modelNeeds } from '../hub/hub-model.ts'
import { ParakeetSettings, parakeetModels } from './parakeet/settings.ts'

const endings = { fp32: '', q8: '.int8' }

const parts = (settings: ParakeetSettings) => {
  const ending = `${endings[settings.precision]}.onnx`
  return { encoder: `encoder-model${ending}`, decoder: `decoder_joint-model${ending}` }
}
const modelFor = (settings: ParakeetSettings) =>
  hubModel(settings, parakeetModels, {
    files: ['vocab.txt', ...Object.values(parts(settings))],
    parts: [],
    optional: ['config.json'],
  })

const parakeet: Backend<Transcriber, ParakeetSettings> = {
  summary: 'speech to text in 25 European languages by Parakeet TDT on this machine, with the time of each word',
  version: '1',
  settings: ParakeetSettings,
  needs: settings => modelNeeds(modelFor(settings)),
  open: async (settings, host) =>
    (await import('./parakeet/transcriber.ts')).openParakeetTranscriber(
      modelFor(settings),
      parts(settings),
      settings,
      host,
    ),
}

export default parakeet
