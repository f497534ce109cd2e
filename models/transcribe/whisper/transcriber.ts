import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Transcriber } from '../../../src/core/services.ts'
import { type HubModel, type ModelFolder, onnxFile, openModelFolder } from '../../hub/hub-model.ts'
import { lazyModel } from '../../onnx/card/lazy-model.ts'
import { prepare } from '../../prepare/prepare.ts'
import { WhisperVocabulary } from '../../prepare/vocabulary.ts'
import { WhisperSound } from '../../sound/whisper-features.ts'
import { lazyTokenizer } from '../../tokens/tokenizer.ts'
import { refuseOtherThanEnglish } from '../english-only.ts'
import { hearEverySpan } from '../hear-every-span.ts'
import { withoutLoops } from '../speech-lines.ts'
import { Generation, WhisperShape } from './generation.ts'
import { Listening } from './listening.ts'
import { openWhisper } from './model.ts'
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

// The tokens of a text that the model takes for what was said before. Of a text that is too long the end stays: half of what the
// model can write, as its makers have it.
export async function promptTokens(
  prompt: string,
  {
    folder,
    vocabulary,
    shape,
    host,
  }: { folder: ModelFolder; vocabulary: WhisperVocabulary; shape: WhisperShape; host: Host },
): Promise<number[]> {
  const begin = vocabulary.special('<|startofprev|>')
  if (begin === undefined)
    throw new UsageError('The model takes no prompt: it has no token <|startofprev|>.', { hint: 'Leave prompt out.' })
  const tokenizer = lazyTokenizer(folder, host)
  try {
    const { ids } = await tokenizer.encode([` ${prompt.trim()}`], { maxTokens: 4 * prompt.length + 16 }, host.signal)
    const tokens = Array.from(ids, Number).filter(token => vocabulary.isText(token))
    return [begin, ...tokens.slice(1 - Math.floor(shape.max_target_positions / 2))]
  } finally {
    await tokenizer.close()
  }
}
