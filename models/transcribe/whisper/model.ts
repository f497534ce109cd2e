import type { Closable, Host } from '../../../src/core/backend.ts'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import { mends, type OnnxSettings, providersFor } from '../../onnx/device.ts'
import { readBackOnce, tellWhere } from '../../onnx/tell-where.ts'
import { Thread } from '../../onnx/thread.ts'
import type { Features } from '../../sound/whisper-features.ts'
import type { WhisperShape } from './generation.ts'
import type { Hearing, WhisperJob, WhisperOpened, Writing, Written } from './messages.ts'

export interface WhisperFiles {
  name: string
  encoder: string
  decoder: string
  decoderWithPast?: string
}

export interface WhisperModel extends Closable {
  language(window: Features, start: number, languages: number[], signal: AbortSignal): Promise<number>
  write(windows: Features[], writing: Writing, signal: AbortSignal): Promise<Written[]>
  ended(): boolean
  close(): Promise<void>
}

// Encoder and decoder in a thread of their own.
export async function openWhisper(
  files: WhisperFiles,
  shape: WhisperShape,
  settings: OnnxSettings,
  host: Host,
): Promise<WhisperModel> {
  const thread = new Thread<WhisperJob>('./decode-worker', import.meta.url, files.name)
  const { encoder, decoder } = await open(thread, files, shape, settings, host)
  tellWhere(`${files.name} encoder`, settings.device, encoder, host)
  tellWhere(`${files.name} decoder`, settings.device, decoder, host)
  const first = readBackOnce(thread, files.name, settings.device, encoder.provider, host)
  return {
    async language(window, start, languages, signal) {
      const job = { kind: 'language' as const, hearing: hearing([window]), start, languages }
      const scores = (await thread.ask(job, signal)) as number[]
      return languages[scores.indexOf(Math.max(...scores))]
    },
    async write(windows, writing, signal) {
      const job = { kind: 'write' as const, hearing: hearing(windows), writing }
      return first(async () => (await thread.ask(job, signal)) as Written[])
    },
    ended: () => thread.ended(),
    close: () => thread.close(),
  }
}

async function open(
  thread: Thread<WhisperJob>,
  { name, ...paths }: WhisperFiles,
  shape: WhisperShape,
  settings: OnnxSettings,
  host: Host,
): Promise<WhisperOpened> {
  const providers = providersFor(settings.device)
  const { decoder_layers: layers, decoder_attention_heads: heads, d_model: size } = shape
  const job = { kind: 'open' as const, ...paths, providers, threads: settings.threads, shape: { layers, heads, size } }
  try {
    return (await thread.ask(job, host.signal)) as WhisperOpened
  } catch (cause) {
    await thread.close()
    host.signal.throwIfAborted()
    const message = `${name} cannot be opened on ${settings.device}: ${errorText(cause)}`
    throw new UsageError(message, { hint: mends[providers.at(-1) ?? 'cpu'], cause })
  }
}

function hearing(windows: Features[]): Hearing {
  const [{ mels, frames }] = windows
  const features = new Float32Array(windows.length * mels * frames)
  windows.forEach(({ data }, i) => {
    features.set(data, i * mels * frames)
  })
  return { features, dims: [windows.length, mels, frames] }
}
