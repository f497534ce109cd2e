import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { roundTime, type Span } from '../../../src/core/time.ts'
import type { AudioSource } from '../../../src/core/video.ts'
import { Batches } from '../../onnx/batches.ts'
import type { LazyModel } from '../../onnx/card/lazy-model.ts'
import type { WhisperVocabulary } from '../../prepare/vocabulary.ts'
import type { Features } from '../../sound/whisper-features.ts'
import { roundConfidence } from '../speech-lines.ts'
import { type Generation, languageToken, type WhisperShape } from './generation.ts'
import { isDoubtful, isLoop, isSilence, isUnsure, type Spoken, withoutHallucinations } from './hallucination-filter.ts'
import { mergeOverlap } from './merge-overlap.ts'
import type { DecodedWindow, DecodeRequest } from './messages.ts'
import type { WhisperModel } from './model.ts'
import { geometricMean, type HeardLine, splitTexts, timedLines } from './segments.ts'
import { type WhisperSettings, whisperBatch } from './settings.ts'
import { type SpeechWindow, speechWindows } from './speech-windows.ts'

interface ListeningParts {
  settings: WhisperSettings
  generation: Generation
  shape: WhisperShape
  features: { seconds: number; of(samples: Float32Array, signal: AbortSignal): Promise<Features> }
  vocabulary: WhisperVocabulary
  before: readonly number[] // tokens of the prompt that a person gave
  model: LazyModel<WhisperModel>
  host: Host
}

interface Speech {
  audio: AudioSource
  spans: readonly Span[]
  language: string | undefined
  tagged: string | undefined // by the file
  found: { language?: number } // by the first hearing
}

// What was written for one window in one attempt.
interface Attempt extends DecodedWindow {
  text: string
  lines: Spoken[]
  probability: number // of its tokens, geometric mean, 0..1
}

// How a window is written: the likeliest token each time, the likeliest of several texts, or a little by chance.
interface Manner {
  beams?: number
  retry?: number
}

interface Heard {
  window: SpeechWindow
  lines: HeardLine[] // on the clock of the video
}

const pause = 3 // seconds of silence after which Whisper often writes nothing more of a window

// Spans of speech to lines, window by window in the order of time.
export class Listening {
  readonly #parts: ListeningParts
  readonly #batches: Batches

  constructor(parts: ListeningParts) {
    this.#parts = parts
    const { settings, host, model } = parts
    this.#batches = new Batches(settings.batch, whisperBatch, line => host.say(line), model)
  }

  async *lines(speech: Speech, signal: AbortSignal): AsyncGenerator<Finding> {
    let previous: Heard | undefined
    for await (const right of this.#heard(speech, signal)) {
      if (previous && right.window.joins) {
        const merged = mergeOverlap(
          previous.lines,
          right.lines,
          right.window.core.start,
          this.#parts.settings.overlapSeconds,
        )
        previous.lines = merged.left
        right.lines = merged.right
      }
      if (previous) yield* findings(previous.lines)
      previous = right
    }
    if (previous) yield* findings(previous.lines)
  }

  async *#heard({ audio, spans, language, tagged, found }: Speech, signal: AbortSignal): AsyncGenerator<Heard> {
    const { features, settings, vocabulary, generation, shape } = this.#parts
    const begin = generation.no_timestamps_token_id + 1
    const median = shape.median_filter_width
    const length = { seconds: features.seconds, overlap: settings.overlapSeconds, pause }
    const windows: SpeechWindow[] = []
    for await (const window of speechWindows(audio, spans, length)) windows.push(window)
    if (windows.length === 0) return
    const hear = async (window: SpeechWindow) => features.of(await audio.read(window.sound), signal)
    const named = languageToken(language, generation)
    const hint = languageToken(tagged, generation)
    found.language ??= named ?? (await this.#language(windows, hear, hint, signal))
    const main = found.language
    const mayDiffer = named === undefined && main !== undefined
    const from = (at: number) => {
      const batch = windows.slice(at, at + this.#batches.size)
      const sounds = Promise.all(batch.map(hear))
      sounds.catch(() => {}) // it is handled where it is awaited
      return { batch, end: at + batch.length, coming: sounds }
    }
    for (let slice = from(0); slice.batch.length > 0; ) {
      signal.throwIfAborted()
      const { batch, end, coming } = slice
      const sounds = await coming
      slice = from(end) // while this one is written
      const first = await this.#batches.map(sounds, signal, part => this.#write(part, main, {}, signal))
      for (const [i, window] of batch.entries()) {
        const voteLanguage = () => this.#vote(sounds[i]!, hint, signal)
        const surest = await this.#surest(
          sounds[i]!,
          first[i]!,
          { main, own: mayDiffer ? voteLanguage : undefined },
          signal,
        )
        const lines = surest ? await timedLines(surest, window.sound, { vocabulary, begin, median }, signal) : []
        const noSpeech = surest?.noSpeech ?? 0
        const spoken = lines.filter(({ probability }) => !isSilence({ noSpeech, probability }))
        yield { window, lines: withoutHallucinations(spoken, spans) }
      }
    }
  }

  // A window with an unsure line is heard again: as the likeliest of several texts; if it is doubtful, in its own language, where that
  // is another than the main one, and at higher temperatures. The surest of all attempts is kept.
  async #surest(
    sound: Features,
    first: Attempt,
    { main, own }: { main: number | undefined; own: (() => Promise<LanguageVote>) | undefined },
    signal: AbortSignal,
  ): Promise<Attempt | undefined> {
    let best = first
    let spoken = main
    const isWorthAnother = () => fault(best) > 0 && !isSilence(best)
    const hearAgain = async (language: number | undefined, manner: Manner) => {
      const [again] = await this.#write([sound], language, manner, signal)
      if (!again) return
      if (fault(again) > fault(best) || (fault(again) === fault(best) && again.probability <= best.probability)) return
      best = again
      spoken = language
    }
    const { retries, beams } = this.#parts.settings
    if (beams > 1 && (fault(first) > 0 || first.lines.some(isUnsure)) && !isSilence(first))
      await hearAgain(main, { beams })
    if (own && retries > 0 && isWorthAnother()) {
      const { language } = await own()
      if (language !== main) await hearAgain(language, {})
    }
    for (let retry = 1; retry <= retries && isWorthAnother(); retry++) await hearAgain(spoken, { retry })
    return isSilence(best) ? undefined : best
  }

  async #write(
    sounds: Features[],
    language: number | undefined,
    { beams, retry = 0 }: Manner,
    signal: AbortSignal,
  ): Promise<Attempt[]> {
    const { generation, vocabulary, model } = this.#parts
    const begin = generation.no_timestamps_token_id + 1
    const real = (tokens: number[] | null | undefined) => (tokens ?? []).filter(token => token >= 0)
    const writing: DecodeRequest = {
      ...this.#prompt(language),
      rules: {
        begin,
        noTimestamps: generation.no_timestamps_token_id,
        end: generation.eos_token_id,
        latestFirst: generation.max_initial_timestamp_index ?? undefined,
        suppress: real(generation.suppress_tokens),
        suppressFirst: real(generation.begin_suppress_tokens),
      },
      noSpeech: vocabulary.special('<|nospeech|>') ?? vocabulary.special('<|nocaptions|>'),
      heads: generation.alignment_heads ?? [],
      temperature: retry * 0.3,
      seed: retry,
      beams,
    }
    const written = await model.use(open => open.write(sounds, writing, signal))
    return written.map(one => {
      const lines = splitTexts(one.tokens, begin, vocabulary).map(({ rows }) => ({
        text: vocabulary.text(rows.map(row => one.tokens[row]!)),
        probability: geometricMean(rows.map(row => one.probabilities[row]!)),
      }))
      return { ...one, text: vocabulary.text(one.tokens), lines, probability: geometricMean([...one.probabilities, 1]) }
    })
  }

  #prompt(language: number | undefined): Pick<DecodeRequest, 'prompt' | 'start' | 'maxTokens'> {
    const { before, shape } = this.#parts
    const prompt = [...before, ...this.#beginning(language)]
    const { max_target_positions: most } = shape
    return { prompt, start: before.length, maxTokens: Math.min(Math.floor(most / 2), most - prompt.length) }
  }

  #beginning(language: number | undefined): number[] {
    const { generation, settings } = this.#parts
    const start = generation.decoder_start_token_id
    if (language === undefined) return [start]
    const task = generation.task_to_id?.[settings.task]
    if (task === undefined)
      throw new UsageError(`The model has no task "${settings.task}".`, { hint: 'Set task to transcribe.' })
    return [start, language, task]
  }

  // By the vote of the first window, the last and the one in the middle, until two agree: a jingle or a greeting in another
  // language may stand anywhere.
  async #language(
    windows: readonly SpeechWindow[],
    hear: (window: SpeechWindow) => Promise<Features>,
    tagged: number | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { generation } = this.#parts
    if (!generation.is_multilingual || Object.keys(generation.lang_to_id ?? {}).length === 0) return undefined
    const votes: LanguageVote[] = []
    for (const at of new Set([0, windows.length - 1, windows.length >> 1])) {
      const window = windows[at]
      if (!window) continue
      const vote = await this.#vote(await hear(window), tagged, signal)
      if (votes.some(({ language }) => language === vote.language)) return vote.language
      votes.push(vote)
    }
    return votes.sort((a, b) => b.share - a.share)[0]?.language
  }

  async #vote(sound: Features, tagged: number | undefined, signal: AbortSignal): Promise<LanguageVote> {
    const { generation, model } = this.#parts
    const languages = Object.values(generation.lang_to_id ?? {})
    const start = generation.decoder_start_token_id
    return likeliest(languages, await model.use(open => open.language(sound, start, languages, signal)), tagged)
  }
}

// 0 if no line is doubtful, 2 if a text goes in circles, which makes its words likely. Lines may repeat each other.
function fault({ text, lines }: Attempt): 0 | 1 | 2 {
  if ([text, ...lines.map(line => line.text)].some(isLoop)) return 2
  return lines.some(isDoubtful) ? 1 : 0
}

interface LanguageVote {
  language: number
  share: number // 0..1
}

const tagWeight = 4 // how much likelier the language that the file names is than another, before anything is heard

function likeliest(languages: readonly number[], scores: readonly number[], tagged: number | undefined): LanguageVote {
  const top = Math.max(...scores)
  const weights = scores.map((score, i) => Math.exp(score - top) * (languages[i] === tagged ? tagWeight : 1))
  const most = Math.max(...weights)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return { language: languages[weights.indexOf(most)]!, share: most / sum }
}

function* findings(lines: readonly HeardLine[]): Generator<Finding> {
  for (const { words, start, end, probability, timed } of lines) {
    const text = words
      .map(word => word.text)
      .join('')
      .trim()
    if (text === '' || end <= start) continue
    yield {
      span: { start: roundTime(start), end: roundTime(end) },
      track: 'speech',
      text,
      confidence: roundConfidence(probability),
      ...(timed && {
        words: words.map(word => ({
          text: word.text.trim(),
          start: roundTime(word.start),
          end: roundTime(word.end),
          confidence: roundConfidence(word.confidence),
        })),
      }),
    }
  }
}
