import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { serveThread } from '../onnx/serve-thread.ts'
import { type ClapSound, clapFeatures, upsample } from '../sound/clap-features.ts'
import { kaldiFeatures } from '../sound/kaldi-features.ts'
import { nemoFeatures } from '../sound/nemo-features.ts'
import { whisperFeatures } from '../sound/whisper-features.ts'
import { readLetters } from './letters.ts'
import { pictureValues } from './picture-values.ts'
import type { Pixels } from './resample.ts'
import { textBoxes } from './text-boxes.ts'
import { readWhisperWords } from './vocabulary.ts'
import { tokenTimes } from './word-times.ts'

const mean = [0.485, 0.456, 0.406]
const deviation = [0.229, 0.224, 0.225]

// Blue, green, red: the detector was trained on pictures in that order, with the mean of red, green, blue.
function pagePlanes({ rgb, width, height }: Pixels): Float32Array {
  const data = new Float32Array(3 * width * height)
  for (let plane = 0; plane < 3; plane++)
    for (let i = 0; i < width * height; i++)
      data[plane * width * height + i] = (rgb[i * 3 + 2 - plane]! / 255 - mean[plane]!) / deviation[plane]!
  return data
}

// Lines of one height beside each other in a batch, each padded to the width of the longest.
function linePlanes(lines: readonly Pixels[], width: number, height: number): Float32Array {
  const plane = width * height
  const data = new Float32Array(lines.length * 3 * plane)
  lines.forEach((line, n) => {
    for (let channel = 0; channel < 3; channel++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < line.width; x++)
          data[(n * 3 + channel) * plane + y * width + x] =
            line.rgb[(y * line.width + x) * 3 + 2 - channel]! / 127.5 - 1
  })
  return data
}

// What is made of a picture or a piece of sound before a model sees or hears it, and of its scores afterwards. A second of it on
// the main thread is a second without answers.
const steps = {
  picture: pictureValues,
  facePlanes,
  whisper: whisperFeatures,
  kaldi: kaldiFeatures,
  nemo: nemoFeatures,
  clap: (sound: Float32Array, config: ClapSound) => clapFeatures(upsample(sound, 16_000, config.sampling_rate), config),
  vocabulary: async (file: string) => readWhisperWords(await readBoundedText(file, 64e6)),
  tokenTimes,
  pagePlanes,
  textBoxes,
  linePlanes,
  readLetters,
}
export type PrepareSteps = typeof steps

export interface PrepareJob {
  kind: keyof PrepareSteps
  args: unknown[]
}

serveThread<PrepareJob>({
  work: async ({ kind, args }) => (steps[kind] as (...args: unknown[]) => unknown)(...args),
})

// A picture in the upper left corner of a square, blue, green, red from 0 to 255, as YuNet was trained.
function facePlanes({ rgb, width, height }: Pixels, edge: number): Float32Array {
  const data = new Float32Array(3 * edge * edge)
  for (let plane = 0; plane < 3; plane++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) data[(plane * edge + y) * edge + x] = rgb[(y * width + x) * 3 + 2 - plane]!
  return data
}
