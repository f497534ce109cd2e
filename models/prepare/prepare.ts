import type { Box } from '../../src/core/evidence.ts'
import { Thread } from '../onnx/thread.ts'
import { whileUsed } from '../onnx/while-used.ts'
import type { PictureConfig } from '../pictures/picture-config.ts'
import type { Pixels } from '../pictures/resample.ts'
import type { BoxSettings } from '../read-text/paddle-boxes.ts'
import type { Recognized } from '../read-text/paddle-letters.ts'
import type { ClapSound } from '../sound/clap-features.ts'
import type { KaldiSound } from '../sound/kaldi-features.ts'
import type { Features, WhisperSound } from '../sound/whisper-features.ts'
import type { Attention } from '../transcribe/whisper/messages.ts'
import type { Words } from '../transcribe/whisper/vocabulary.ts'
import type { LetterShape, PrepareJob } from './messages.ts'

export interface PreparedPicture {
  data: Float32Array // channel after channel
  width: number
  height: number
}

// One thread for all models of the process, opened when it is first needed and ended while nobody needs it for long.
const thread = whileUsed(async () => new Thread<PrepareJob>('./prepare-worker', import.meta.url, 'preparation'))

export function preparedPicture(picture: Pixels, config: PictureConfig, signal: AbortSignal): Promise<PreparedPicture> {
  return ask({ kind: 'picture', picture: pixels(picture), config }, signal)
}

export function preparedWhisper(samples: Float32Array, config: WhisperSound, signal: AbortSignal): Promise<Features> {
  return ask({ kind: 'whisper', samples: own(samples), config }, signal)
}

// The tokenizer.json of a Whisper model: reading it takes longer than anything may wait.
export function preparedVocabulary(file: string, signal: AbortSignal): Promise<Words> {
  return ask({ kind: 'vocabulary', file }, signal)
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

// A page as the detector of text sees it, and the boxes in the map that it gives.
export function preparedPage(page: Pixels, signal: AbortSignal): Promise<Float32Array> {
  return ask({ kind: 'page', page: pixels(page) }, signal)
}

export function foundTextBoxes(
  map: Float32Array,
  { width, height }: { width: number; height: number },
  settings: BoxSettings,
  signal: AbortSignal,
): Promise<Box[]> {
  return ask({ kind: 'boxes', map: own(map), width, height, settings }, signal)
}

// Lines as the reader of lines sees them, and the letters in the scores that it gives.
export function preparedLines(
  lines: readonly Pixels[],
  width: number,
  height: number,
  signal: AbortSignal,
): Promise<Float32Array> {
  return ask({ kind: 'lines', lines: lines.map(pixels), width, height }, signal)
}

export function preparedLetters(
  scores: Float32Array,
  shape: LetterShape,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Recognized[]> {
  return ask({ kind: 'letters', scores: own(scores), shape, keys }, signal)
}

function ask<Result>(job: PrepareJob, signal: AbortSignal): Promise<Result> {
  return thread.use(async open => (await open.ask(job, signal)) as Result)
}

function pixels({ rgb, width, height }: Pixels): Pixels {
  return { rgb: own(rgb), width, height }
}

// A view of a larger buffer would take all of that buffer along to the thread.
function own<Values extends Uint8Array | Float32Array>(values: Values): Values {
  return values.byteLength === values.buffer.byteLength ? values : (values.slice() as Values)
}
