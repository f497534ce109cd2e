import { Thread } from '../onnx/thread.ts'
import { whileUsed } from '../onnx/while-used.ts'
import type { PictureConfig } from '../pictures/picture-config.ts'
import type { Pixels } from '../pictures/resample.ts'
import type { ClapSound } from '../sound/clap-features.ts'
import type { KaldiSound } from '../sound/kaldi-features.ts'
import type { Features, WhisperSound } from '../sound/whisper-features.ts'
import type { Attention } from '../transcribe/whisper/messages.ts'
import type { PrepareJob } from './messages.ts'

export interface PreparedPicture {
  data: Float32Array // channel after channel
  width: number
  height: number
}

// One thread for all models of the process, opened when it is first needed and ended while nobody needs it for long.
const thread = whileUsed(async () => new Thread<PrepareJob>('./prepare-worker', import.meta.url, 'preparation'))

export function preparedPicture(
  { rgb, width, height }: Pixels,
  config: PictureConfig,
  signal: AbortSignal,
): Promise<PreparedPicture> {
  return ask({ kind: 'picture', picture: { rgb: own(rgb), width, height }, config }, signal)
}

export function preparedWhisper(samples: Float32Array, config: WhisperSound, signal: AbortSignal): Promise<Features> {
  return ask({ kind: 'whisper', samples: own(samples), config }, signal)
}

export function preparedClap(
  samples: Float32Array,
  rate: number,
  config: ClapSound,
  signal: AbortSignal,
): Promise<Float32Array> {
  return ask({ kind: 'clap', samples: own(samples), rate, config }, signal)
}

export function preparedKaldi(samples: Float32Array, config: KaldiSound, signal: AbortSignal): Promise<Float32Array> {
  return ask({ kind: 'kaldi', samples: own(samples), config }, signal)
}

// When each token of a text was said: see word-times.ts.
export function preparedTimes(
  attention: Attention,
  seconds: number,
  median: number,
  rows: number[],
  signal: AbortSignal,
): Promise<{ start: number; end: number }[]> {
  return ask({ kind: 'times', attention: { ...attention, data: own(attention.data) }, seconds, median, rows }, signal)
}

function ask<Result>(job: PrepareJob, signal: AbortSignal): Promise<Result> {
  return thread.use(async open => (await open.ask(job, signal)) as Result)
}

// A view of a larger buffer would take all of that buffer along to the thread.
function own<Values extends Uint8Array | Float32Array>(values: Values): Values {
  return values.byteLength === values.buffer.byteLength ? values : (values.slice() as Values)
}
