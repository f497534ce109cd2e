import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { serveThread } from '../onnx/serve-thread.ts'
import { type ClapSound, clapFeatures, resampled } from '../sound/clap-features.ts'
import { kaldiFeatures } from '../sound/kaldi-features.ts'
import { nemoFeatures } from '../sound/nemo-features.ts'
import { whisperFeatures } from '../sound/whisper-features.ts'
import { facePlanes } from './face-planes.ts'
import { readLetters } from './letters.ts'
import { pictureValues } from './picture-values.ts'
import { textBoxes } from './text-boxes.ts'
import { linePlanes, pagePlanes } from './text-planes.ts'
import { readWhisperWords } from './vocabulary.ts'
import { tokenTimes } from './word-times.ts'

// What is made of a picture or a piece of sound before a model sees or hears it, and of its scores afterwards. A second of it on
// the main thread is a second without answers.
const steps = {
  picture: pictureValues,
  facePlanes,
  whisper: whisperFeatures,
  kaldi: kaldiFeatures,
  nemo: nemoFeatures,
  clap: (sound: Float32Array, config: ClapSound) =>
    clapFeatures(resampled(sound, 16_000, config.sampling_rate), config),
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
