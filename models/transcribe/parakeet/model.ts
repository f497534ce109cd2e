import type { Host } from '../../../src/core/backend.ts'
import { countThreads, type OnnxSettings, type Provider } from '../../onnx/device.ts'
import { countOpsOnce, openOnDevice, reportDevice } from '../../onnx/report-device.ts'
import { Thread } from '../../onnx/thread.ts'
import type { Features } from '../../sound/whisper-features.ts'
import type { ParakeetJob, ParakeetOpened, SaidToken } from './messages.ts'

interface ParakeetFiles {
  name: string
  encoder: string
  decoder: string
}

// Encoder and decoder in a thread of their own.
export async function openParakeet(files: ParakeetFiles, blank: number, settings: OnnxSettings, host: Host) {
  const { name, ...paths } = files
  const { device } = settings
  const threads = countThreads(settings.threads)
  const thread = new Thread<ParakeetJob>('./tdt-worker', import.meta.url, name)
  const open = (providers: Provider[]): ParakeetJob => ({ kind: 'open', ...paths, providers, threads, blank })
  const { encoder, decoder } = await openOnDevice<ParakeetJob, ParakeetOpened>(thread, name, device, open, host)
  const report = reportDevice(`${name} encoder`, settings, encoder, host)
  reportDevice(`${name} decoder`, settings, decoder, host)
  const first = countOpsOnce(thread, { ...report, model: name }, host)
  return {
    provider: encoder.provider,
    refused: [...encoder.refused, ...decoder.refused],
    async write(windows: Features[], signal: AbortSignal) {
      const job: ParakeetJob = { kind: 'write', ...padded(windows) }
      return first(async () => (await thread.ask(job, signal)) as SaidToken[][])
    },
    ended: () => thread.ended(),
    close: () => thread.close(),
  }
}

// Windows beside each other, each padded with zeros to the longest; the last frame of each does not count.
function padded(windows: readonly Features[]) {
  const mels = windows[0]?.mels ?? 0
  const longest = Math.max(...windows.map(({ frames }) => frames))
  const data = new Float32Array(windows.length * mels * longest)
  for (const [row, window] of windows.entries())
    for (let mel = 0; mel < mels; mel++)
      data.set(window.data.subarray(mel * window.frames, (mel + 1) * window.frames), (row * mels + mel) * longest)
  const hearing = { type: 'float32' as const, data, dims: [windows.length, mels, longest] }
  return { hearing, lengths: windows.map(({ frames }) => frames - 1) }
}
