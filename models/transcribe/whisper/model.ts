import type { Closable, Host } from '../../../src/core/backend.ts'
import type { OnnxSettings, Provider } from '../../onnx/device.ts'
import { countOpsOnce, openOnDevice, reportDevice } from '../../onnx/report-device.ts'
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
  language(window: Features, start: number, languages: number[], signal: AbortSignal): Promise<number | undefined>
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
  const { name, ...paths } = files
  const { device, threads } = settings
  const { decoder_layers: layers, decoder_attention_heads: heads, d_model: size } = shape
  const thread = new Thread<WhisperJob>('./decode-worker', import.meta.url, name)
  const open = (providers: Provider[]): WhisperJob => ({
    kind: 'open',
    ...paths,
    providers,
    threads,
    shape: { layers, heads, size },
  })
  const { encoder, decoder } = await openOnDevice<WhisperJob, WhisperOpened>(thread, name, device, open, host)
  reportDevice(`${name} encoder`, device, encoder, host)
  reportDevice(`${name} decoder`, device, decoder, host)
  const first = countOpsOnce(thread, name, device, encoder.provider, host)
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

function hearing(windows: Features[]): Hearing {
  const { mels = 0, frames = 0 } = windows[0] ?? {}
  const features = new Float32Array(windows.length * mels * frames)
  windows.forEach(({ data }, i) => {
    features.set(data, i * mels * frames)
  })
  return { features, dims: [windows.length, mels, frames] }
}
