import { readFile } from 'node:fs/promises'
import { serveThread } from '../onnx/serve-thread.ts'
import { pictureValues } from '../pictures/picture-tensor.ts'
import { textBoxes } from '../read-text/paddle-boxes.ts'
import { readLetters } from '../read-text/paddle-letters.ts'
import { linePlanes, pagePlanes } from '../read-text/paddle-planes.ts'
import { ClapFeatures, type ClapSound } from '../sound/clap-features.ts'
import { kaldiFeatures } from '../sound/kaldi-features.ts'
import { resampled } from '../sound/resampled.ts'
import { WhisperFeatures, type WhisperSound } from '../sound/whisper-features.ts'
import { TokenizerFile, wordsOfFile } from '../transcribe/whisper/vocabulary.ts'
import { tokenTimes } from '../transcribe/whisper/word-times.ts'
import type { PrepareJob } from './messages.ts'

// Resizing pictures and taking sounds apart is work of its own: a second of it on the main thread is a second without answers.

const claps = new Map<string, ClapFeatures>()
const whispers = new Map<string, WhisperFeatures>()
const { signal } = new AbortController()

serveThread<PrepareJob>({
  async work(job) {
    if (job.kind === 'picture') return pictureValues(job.picture, job.config)
    if (job.kind === 'vocabulary') return wordsOfFile(TokenizerFile.parse(JSON.parse(await readFile(job.file, 'utf8'))))
    if (job.kind === 'kaldi') return kaldiFeatures(job.samples, job.config)
    if (job.kind === 'times') return tokenTimes(job.attention, job.seconds, job.median, job.rows)
    if (job.kind === 'page') return pagePlanes(job.page)
    if (job.kind === 'boxes') return textBoxes(job.map, job, job.settings)
    if (job.kind === 'lines') return linePlanes(job.lines, job.width, job.height)
    if (job.kind === 'letters') return readLetters(job.scores, job.shape, job.keys)
    if (job.kind === 'whisper') return whisper(job.config).of(job.samples, signal)
    return clap(job.config).of(resampled(job.samples, job.rate, job.config.sampling_rate))
  },
})

function clap(config: ClapSound): ClapFeatures {
  const key = JSON.stringify(config)
  const found = claps.get(key) ?? new ClapFeatures(config)
  claps.set(key, found)
  return found
}

function whisper(config: WhisperSound): WhisperFeatures {
  const key = JSON.stringify(config)
  const found = whispers.get(key) ?? new WhisperFeatures(config)
  whispers.set(key, found)
  return found
}
