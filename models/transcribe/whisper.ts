import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backend, Host } from '../../src/core/backend.ts'
import { absentAs } from '../../src/core/errors.ts'
import type { Transcriber } from '../../src/core/services.ts'
import { hubModel, modelNeeds, onnxFile } from '../hub/hub-model.ts'
import { modelFolder } from '../hub/model-folder.ts'
import { resolveAuto } from '../onnx/resolve-auto.ts'
import { decoders, smallDecoder, WhisperSettings, whisperModels } from './whisper/settings.ts'

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
  version: '3',
  versionFor: settings => (settings.language ? '3' : '5'),
  settings: WhisperSettings,
  resolve: async (settings, host) =>
    resolveAuto(settings, host, { wanted: modelFor, onProcessor: await decoderChoices(settings, host) }),
  needs: settings => modelNeeds(modelFor(settings)),
  // What runs it loads when it is opened: every command looks at whether its files are there.
  open: async (settings, host) =>
    (await import('./whisper/transcriber.ts')).openWhisperTranscriber(modelFor(settings), settings, host),
}

export default whisper

// Which decoders suit the processor, the best first.
async function decoderChoices(settings: WhisperSettings, host: Pick<Host, 'environment'>) {
  if (settings.decoderPrecision) return []
  const quantized = { decoderPrecision: 'q8' as const }
  return (await isSmall(settings, host)) ? [{}, quantized] : [quantized]
}

async function isSmall(settings: WhisperSettings, host: Pick<Host, 'environment'>): Promise<boolean> {
  const model = modelFor({ ...settings, precision: 'fp32' })
  const folder = await modelFolder(model, host)
  const paths = folder ? decoders[settings.decoder].map(part => join(folder, onnxFile(part, 'fp32'))) : []
  const files = await Promise.all(paths.map(path => stat(path).catch(absentAs(undefined))))
  const sizes = files.flatMap(file => file?.size ?? [])
  if (sizes.length === 0) return smallDecoder.names.test(model.repository)
  return sizes.reduce((sum, size) => sum + size, 0) <= smallDecoder.bytes
}
