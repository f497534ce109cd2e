import type { Host } from '../../../src/core/backend.ts'
import type { Transcriber } from '../../../src/core/services.ts'
import { type HubModel, onnxFile, openModelFolder } from '../../hub/hub-model.ts'
import { lazyModel } from '../../onnx/card/lazy-model.ts'
import { prepare } from '../../prepare/prepare.ts'
import { WhisperVocabulary } from '../../prepare/vocabulary.ts'
import { WhisperSound } from '../../sound/whisper-features.ts'
import { refuseOtherThanEnglish } from '../english-only.ts'
import { hearEverySpan } from '../hear-every-span.ts'
import { withoutLoops } from '../speech-lines.ts'
import { Generation, WhisperShape } from './generation.ts'
import { Listening } from './listening.ts'
import { openWhisper } from './model.ts'
import { promptTokens } from './prompt.ts'
import { decoders, type WhisperSettings } from './settings.ts'

// Opens the model's files, and hears with them.
export async function openWhisperTranscriber(
  wanted: HubModel,
  settings: WhisperSettings,
  host: Host,
): Promise<Transcriber> {
  const folder = await openModelFolder(wanted, host)
  const generation = await folder.json('generation_config.json', Generation)
  const shape = await folder.json('config.json', WhisperShape)
  const sound = await folder.json('preprocessor_config.json', WhisperSound)
  const features = {
    seconds: sound.chunk_length,
    of: (samples: Float32Array, signal: AbortSignal) => prepare('whisper', [samples, sound], signal),
  }
  const words = await prepare('vocabulary', [folder.file('tokenizer.json')], host.signal).catch(cause => {
    host.signal.throwIfAborted()
    throw folder.unreadable('tokenizer.json', cause)
  })
  const vocabulary = new WhisperVocabulary(words)
  const before = settings.prompt ? await promptTokens(settings.prompt, { folder, vocabulary, shape, host }) : []
  const { precision, decoderPrecision = precision } = settings
  const file = (part: string) => folder.file(onnxFile(part, decoderPrecision))
  const [first, withPast] = decoders[settings.decoder]
  const files = {
    encoder: folder.file(onnxFile('encoder_model', precision)),
    decoder: file(first),
    decoderWithPast: withPast && file(withPast),
  }
  const name = `whisper ${settings.folder ?? settings.model}`
  const onCard = { name, files: Object.values(files).filter(path => path !== undefined), device: settings.device, host }
  const model = lazyModel(onCard, device => openWhisper({ name, ...files }, shape, { ...settings, device }, host))
  const listening = new Listening({ settings, generation, shape, features, vocabulary, before, model, host })
  return {
    transcribe({ audio, spans, language, tagged }, signal) {
      const askedLanguage = settings.language ?? language
      if (!generation.is_multilingual)
        refuseOtherThanEnglish(name, askedLanguage, 'Choose a model without ".en" in its name.')
      const speech = { audio, language: askedLanguage, tagged, found: {} }
      return withoutLoops(hearEverySpan(spans, parts => listening.lines({ ...speech, spans: parts }, signal)))
    },
    close: model.close,
  }
}
