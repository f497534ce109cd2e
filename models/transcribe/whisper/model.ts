import type { Host } from '../../../src/core/backend.ts'
import { countThreads, type OnnxSettings, type Provider } from '../../onnx/device.ts'
import type { OnnxTensor } from '../../onnx/messages.ts'
import { countOpsOnce, openOnDevice, reportDevice } from '../../onnx/report-device.ts'
import { stack } from '../../onnx/tensors.ts'
import { Thread } from '../../onnx/thread.ts'
import type { Features } from '../../sound/whisper-features.ts'
import type { WhisperShape } from './generation.ts'
import type { DecodedWindow, DecodeRequest, WhisperJob, WhisperOpened } from './messages.ts'

interface WhisperFiles {
  name: string
  encoder: string
  decoder: string
  decoderWithPast?: string
}

export type WhisperModel = Awaited<ReturnType<typeof openWhisper>>

// Encoder and decoder in a thread of their own.
export async function openWhisper(
  files: WhisperFiles,
  shape: WhisperShape,
  settings: OnnxSettings & { decoderPrecision?: string },
  host: Host,
) {
  const { name, ...paths } = files
  const { device, precision, decoderPrecision = precision } = settings
  const threads = countThreads(settings.threads)
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
  const report = reportDevice(`${name} encoder`, settings, encoder, host)
  reportDevice(`${name} decoder`, { ...settings, precision: decoderPrecision }, decoder, host)
  const first = countOpsOnce(thread, { ...report, model: name }, host)
  return {
    provider: encoder.provider,
    refused: [...encoder.refused, ...decoder.refused],
    // Scores of the languages, in their order.
    async language(window: Features, start: number, languages: number[], signal: AbortSignal) {
      const job = { kind: 'language' as const, hearing: hearing([window]), start, languages }
      return (await thread.ask(job, signal)) as number[]
    },
    async write(windows: Features[], writing: DecodeRequest, signal: AbortSignal) {
      const job = { kind: 'write' as const, hearing: hearing(windows), writing }
      return first(async () => (await thread.ask(job, signal)) as DecodedWindow[])
    },
    ended: () => thread.ended(),
    close: () => thread.close(),
  }
}

function hearing(windows: Features[]): OnnxTensor {
  const { mels = 0, frames = 0 } = windows[0] ?? {}
  return stack(
    windows.map(({ data }) => data),
    [mels, frames],
  )
}
