import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Finding } from '../../../src/core/evidence.ts'
import { roundTime, type Span } from '../../../src/core/time.ts'
import type { AudioSource } from '../../../src/core/video.ts'
import { Batches } from '../../onnx/batches.ts'
import type { WhileUsed } from '../../onnx/while-used.ts'
import type { Features } from '../../sound/whisper-features.ts'
import { isDoubtful, isSilence, withoutInventions } from './doubts.ts'
import type { Generation, WhisperShape } from './generation.ts'
import { languageToken } from './language.ts'
import type { Writing, Written } from './messages.ts'
import type { WhisperModel } from './model.ts'
import { joinAtCut } from './seams.ts'
import { type HeardLine, linesOf } from './segments.ts'
import type { WhisperSettings } from './settings.ts'
import { type SpeechWindow, speechWindows, windowSound } from './speech-windows.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface ListeningParts {
  settings: WhisperSettings
  generation: Generation
  shape: WhisperShape
  features: { seconds: number; of(samples: Float32Array, signal: AbortSignal): Promise<Features> }
  vocabulary: Vocabulary
  model: WhileUsed<WhisperModel>
  host: Host
}

interface Heard {
  window: SpeechWindow
  lines: HeardLine[] // on the clock of the video
}

// Spans of speech to lines, window by window in the order of time.
export class Listening {
  readonly #parts: ListeningParts
  readonly #batches: Batches

  constructor(parts: ListeningParts) {
    this.#parts = parts
    this.#batches = new Batches(parts.settings.batch, line => parts.host.say(line))
  }

  async *lines(
    audio: AudioSource,
    spans: readonly Span[],
    language: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Finding> {
    const overlap = this.#parts.settings.overlapSeconds
    let left: Heard | undefined
    for await (const right of this.#heard(audio, spans, language, signal)) {
      if (left && right.window.joins) {
        const joined = joinAtCut(left.lines, right.lines, right.window.core.start, overlap)
        left.lines = joined.left
        right.lines = joined.right
      }
      if (left) yield* findings(left.lines)
      left = right
    }
    if (left) yield* findings(left.lines)
  }

  async *#heard(
    audio: AudioSource,
    spans: readonly Span[],
    language: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Heard> {
    const { features, settings } = this.#parts
    const windows = speechWindows(audio, spans, { seconds: features.seconds, overlap: settings.overlapSeconds })
    let spoken: number | undefined = languageToken(language, this.#parts.generation)
    for await (const batch of grouped(windows, settings.batch)) {
      signal.throwIfAborted()
      const sounds: Features[] = []
      for (const window of batch) sounds.push(await features.of(await windowSound(audio, window, spans), signal))
      spoken ??= await this.#language(sounds[0]!, signal)
      const prompt = this.#prompt(spoken)
      const written = await this.#batches.map(sounds, signal, part => this.#write(part, prompt, 0, signal))
      for (const [i, window] of batch.entries()) {
        const sure = await this.#sure(sounds[i]!, written[i]!, prompt, signal)
        const lines = sure ? await this.#linesOf(sure, window, signal) : []
        yield { window, lines: withoutInventions(lines, spans) }
      }
    }
  }

  // What is doubtful is heard again, with more and more left to chance; the surest of all tries stays.
  async #sure(sound: Features, first: Written, prompt: number[], signal: AbortSignal): Promise<Written | undefined> {
    let best = first
    for (let attempt = 1; attempt <= this.#parts.settings.retries; attempt++) {
      if (isSilence(this.#judged(best)) || !isDoubtful(this.#judged(best))) break
      const [again] = await this.#write([sound], prompt, attempt, signal)
      if (!isDoubtful(this.#judged(again)) || this.#judged(again).chance > this.#judged(best).chance) best = again
    }
    return isSilence(this.#judged(best)) ? undefined : best
  }

  #judged({ tokens, chances, noSpeech }: Written): { text: string; chance: number; noSpeech: number } {
    const logs = chances.reduce((sum, chance) => sum + Math.log(chance + 1e-10), 0)
    return {
      text: this.#parts.vocabulary.text(tokens),
      chance: Math.exp(logs / (chances.length + 1)),
      noSpeech,
    }
  }

  #write(sounds: Features[], prompt: number[], attempt: number, signal: AbortSignal): Promise<Written[]> {
    const { generation, shape, vocabulary, model } = this.#parts
    const plain = (tokens: number[] | null | undefined) => (tokens ?? []).filter(token => token >= 0)
    const writing: Writing = {
      prompt,
      rules: {
        begin: generation.no_timestamps_token_id + 1,
        noTimestamps: generation.no_timestamps_token_id,
        end: generation.eos_token_id,
        latestFirst: generation.max_initial_timestamp_index ?? undefined,
        suppress: plain(generation.suppress_tokens),
        suppressFirst: plain(generation.begin_suppress_tokens),
      },
      noSpeech: vocabulary.special('<|nospeech|>') ?? vocabulary.special('<|nocaptions|>'),
      longest: Math.floor(shape.max_target_positions / 2),
      heads: generation.alignment_heads ?? [],
      temperature: attempt * 0.3,
      seed: attempt,
    }
    return model.use(open => open.write(sounds, writing, signal))
  }

  #prompt(language: number | undefined): number[] {
    const { generation, settings } = this.#parts
    const start = generation.decoder_start_token_id
    if (language === undefined) return [start]
    const task = generation.task_to_id?.[settings.task]
    if (task === undefined)
      throw new UsageError(`The model has no task "${settings.task}".`, { hint: 'Set task to transcribe.' })
    return [start, language, task]
  }

  async #language(sound: Features, signal: AbortSignal): Promise<number | undefined> {
    const { generation, model } = this.#parts
    const languages = Object.values(generation.lang_to_id ?? {})
    if (!generation.is_multilingual || languages.length === 0) return undefined
    return model.use(open => open.language(sound, generation.decoder_start_token_id, languages, signal))
  }

  async #linesOf(written: Written, { sound }: SpeechWindow, signal: AbortSignal): Promise<HeardLine[]> {
    const { vocabulary, generation, shape, features } = this.#parts
    const seconds = Math.min(features.seconds, sound.end - sound.start)
    const how = { vocabulary, begin: generation.no_timestamps_token_id + 1, median: shape.median_filter_width }
    const moved = <Moment extends Span>(moment: Moment): Moment => ({
      ...moment,
      start: sound.start + moment.start,
      end: sound.start + moment.end,
    })
    return (await linesOf(written, seconds, how, signal)).map(line => moved({ ...line, words: line.words.map(moved) }))
  }
}

async function* grouped<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

function* findings(lines: readonly HeardLine[]): Generator<Finding> {
  for (const { words, start, end, chance } of lines) {
    const text = words
      .map(word => word.text)
      .join('')
      .trim()
    if (text === '' || end <= start) continue
    const timed = words.filter(word => word.timed)
    yield {
      span: { start: roundTime(start), end: roundTime(end) },
      track: 'speech',
      text,
      confidence: Math.round(Math.min(1, chance) * 1000) / 1000,
      ...(timed.length === words.length && {
        words: timed.map(word => ({
          text: word.text.trim(),
          start: roundTime(word.start),
          end: roundTime(word.end),
          confidence: Math.round((word.confidence ?? 0) * 1000) / 1000,
        })),
      }),
    }
  }
}
