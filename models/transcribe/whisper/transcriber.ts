import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Transcriber } from '../../../src/core/services.ts'
import { type HubModel, onnxFile, openModelFolder } from '../../hub/hub-model.ts'
import { whileUsed } from '../../onnx/while-used.ts'
import { preparedVocabulary, preparedWhisper } from '../../prepare/prepare.ts'
import { WhisperSound } from '../../sound/whisper-features.ts'
import { withoutLoops } from '../openai/loops.ts'
import { Generation, WhisperShape } from './generation.ts'
import { Listening } from './listening.ts'
import { openWhisper } from './model.ts'
import { decoders, type WhisperSettings } from './settings.ts'
import { Vocabulary } from './vocabulary.ts'

// Opens the model's files, and hears with them.
export async function openTranscriber(wanted: HubModel, settings: WhisperSettings, host: Host): Promise<Transcriber> {
  const folder = await openModelFolder(wanted, host)
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
