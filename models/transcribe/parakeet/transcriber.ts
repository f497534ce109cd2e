import { z } from 'zod'
import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { readBoundedText } from '../../../src/core/machine/read-bounded.ts'
import type { Transcriber } from '../../../src/core/services.ts'
import { overlap, roundTime, type Span } from '../../../src/core/time.ts'
import type { AudioSource } from '../../../src/core/video.ts'
import { type HubModel, type ModelFolder, openModelFolder } from '../../hub/hub-model.ts'
import { isFile } from '../../is-file.ts'
import { Batches } from '../../onnx/batches.ts'
import { lazyModel } from '../../onnx/card/lazy-model.ts'
import { countThreads, type OnnxSettings, type Provider } from '../../onnx/device.ts'
import { countOpsOnce, openOnDevice, reportDevice } from '../../onnx/report-device.ts'
import { Thread } from '../../onnx/thread.ts'
import { prepare } from '../../prepare/prepare.ts'
import type { Features } from '../../sound/whisper-features.ts'
import { hearEverySpan } from '../hear-every-span.ts'
import { roundConfidence, speechLines } from '../speech-lines.ts'
import { languageCode } from '../whisper/generation.ts'
import { mergeOverlap } from '../whisper/merge-overlap.ts'
import type { HeardLine, HeardWord } from '../whisper/segments.ts'
import { type SpeechWindow, speechWindows, windowSound } from '../whisper/speech-windows.ts'
import type { ParakeetJob, ParakeetOpened, SaidToken } from './messages.ts'
import { languages, type ParakeetSettings, parakeetBatch } from './settings.ts'

// What config.json says, and what holds of the named models without it.
const Shape = z.looseObject({
  features_size: z.number().int().positive().default(128),
  subsampling_factor: z.number().int().positive().default(8),
})

const audible = 1e-4 // of the loudest that 16 bits hold, three steps

const featureStep = 0.01 // seconds

interface Heard {
  window: SpeechWindow
  words: HeardWord[] // on the clock of the video
}

// Opens the model's files, and hears with them.
export async function openParakeetTranscriber(
  wanted: HubModel,
  files: { encoder: string; decoder: string },
  settings: ParakeetSettings,
  host: Host,
): Promise<Transcriber> {
  const folder = await openModelFolder(wanted, host)
  const shape = (await isFile(folder.file('config.json'))) ? await folder.json('config.json', Shape) : Shape.parse({})
  const { pieces, blank } = await loadVocabulary(folder)
  const name = `parakeet ${settings.folder ?? settings.model}`
  const paths = { encoder: folder.file(files.encoder), decoder: folder.file(files.decoder) }
  const onCard = { name, files: Object.values(paths), device: settings.device, host }
  const model = lazyModel(onCard, device => openParakeet({ name, ...paths }, blank, { ...settings, device }, host))
  const batches = new Batches(settings.batch, parakeetBatch, line => host.say(line), model)
  const length = { seconds: settings.windowSeconds, overlap: settings.overlapSeconds }

  async function* heard(audio: AudioSource, spans: readonly Span[], signal: AbortSignal): AsyncGenerator<Heard> {
    let some: { window: SpeechWindow; sound: Features }[] = []
    const written = async () => {
      const sounds = some.map(({ sound }) => sound)
      const tokenLists = await batches.map(sounds, signal, part => model.use(open => open.write(part, signal)))
      const heardWindows = some.map(({ window }, i) => ({ window, words: placed(tokenLists[i]!, window, spans) }))
      some = []
      return heardWindows
    }
    const placed = (said: Parameters<typeof joinPieces>[0], { sound }: SpeechWindow, speech: readonly Span[]) =>
      joinPieces(said, pieces, featureStep * shape.subsampling_factor)
        .map(word => ({ ...word, start: sound.start + word.start, end: Math.min(sound.start + word.end, sound.end) }))
        .filter(word => word.end > word.start && speech.some(span => overlap(word, span) > 0))
    for await (const window of speechWindows(audio, spans, length)) {
      signal.throwIfAborted()
      const samples = await windowSound(audio, window, spans)
      if (!samples.some(sample => Math.abs(sample) > audible)) continue // of nothing there are no features
      some.push({ window, sound: await prepare('nemo', [samples, shape.features_size], signal) })
      if (some.length >= batches.size) yield* await written()
    }
    if (some.length > 0) yield* await written()
  }

  async function* lines(audio: AudioSource, spans: readonly Span[], signal: AbortSignal): AsyncGenerator<Finding> {
    let previous: Heard | undefined
    for await (const right of heard(audio, spans, signal)) {
      if (previous && right.window.joins) {
        const cut = right.window.core.start
        const merged = mergeOverlap([line(previous)], [line(right)], cut, settings.overlapSeconds)
        previous.words = merged.left.flatMap(({ words }) => words)
        right.words = after(previous.words.at(-1)?.end ?? 0, merged.right)
      }
      if (previous) yield* findings(previous)
      previous = right
    }
    if (previous) yield* findings(previous)
  }

  return {
    async *transcribe({ audio, spans, language }, signal) {
      refuseUnknownLanguage(name, settings, language)
      yield* hearEverySpan(spans, parts => lines(audio, parts, signal))
    },
    close: model.close,
  }
}

async function loadVocabulary(folder: ModelFolder): Promise<ReturnType<typeof readVocabulary>> {
  try {
    return readVocabulary(await readBoundedText(folder.file('vocab.txt'), 64e6))
  } catch (cause) {
    throw folder.unreadable('vocab.txt', cause)
  }
}

// The model hears by itself which of its languages is spoken; another one it would write in the letters of these.
function refuseUnknownLanguage(name: string, { model, folder }: ParakeetSettings, language: string | undefined): void {
  const knownLanguages =
    folder || !Object.hasOwn(languages, model) ? undefined : languages[model as keyof typeof languages]
  if (!knownLanguages || !language || language === 'und' || knownLanguages.includes(languageCode(language))) return
  throw new UsageError(`${name} does not know the language "${language}", which the speech is said to be in.`, {
    hint: `It knows ${knownLanguages.join(', ')}. Choose the backend whisper for others.`,
  })
}

// The two windows may differ by a little about when a word was said.
function after(time: number, lines: readonly HeardLine[]): HeardWord[] {
  return lines
    .flatMap(({ words }) => words)
    .map(word => ({ ...word, start: Math.max(word.start, time), end: Math.max(word.end, time) }))
}

function line({ words, window }: Heard): HeardLine {
  return { words, ...window.core, timed: true, probability: 1 }
}

function findings({ words }: Heard): Finding[] {
  return speechLines(
    words.map(({ text, start, end, confidence }) => ({
      text: text.trim(),
      start: roundTime(start),
      end: roundTime(end),
      confidence: roundConfidence(confidence),
    })),
  )
}

// The pieces of vocab.txt: "piece number" a line, the blank among them.
export function readVocabulary(text: string): { pieces: string[]; blank: number } {
  const pieces: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, piece, id] = /^(\S+) (\d+)$/.exec(line) ?? []
    if (piece !== undefined) pieces[Number(id)] = piece
  }
  const blank = pieces.indexOf('<blk>')
  if (blank < 1 || blank !== pieces.length - 1) throw new Error('it does not end with "<blk>", the blank')
  return { pieces, blank }
}

const mark = /^[\p{P}\p{S}]+$/u

// Tokens to words: a piece that begins with "▁" begins a word. A mark belongs to its word, but does not make it last longer: it
// may be written in the pause after it. Language tags and the like are not text.
export function joinPieces(said: readonly SaidToken[], pieces: readonly string[], secondsOfFrame: number): HeardWord[] {
  const words: (HeardWord & { shares: number[] })[] = []
  for (const { token, frame, frames, share } of said) {
    const piece = pieces[token] ?? ''
    if (/^<.*>$/.test(piece)) continue
    const text = piece.replaceAll('▁', ' ')
    const start = frame * secondsOfFrame
    const end = (frame + Math.max(1, frames)) * secondsOfFrame
    const last = words.at(-1)
    if (last && !text.startsWith(' ')) {
      if (!mark.test(text)) last.end = end
      last.text += text
      last.shares.push(share)
    } else words.push({ text, start, end, confidence: 0, shares: [share] })
  }
  return words
    .filter(word => word.text.trim() !== '')
    .map(({ shares, ...word }, i, all) => ({
      ...word,
      end: Math.max(word.start, Math.min(word.end, all[i + 1]?.start ?? word.end)),
      confidence: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    }))
}

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
