import { z } from 'zod'
import { clampSpan, mergeSpans, type Span } from '../../src/core/time.ts'

// The settings that every voice finder shares, in seconds: spread them into its schema.
export const joinSettings = {
  minSpeech: z.number().min(0).default(0.2).describe('shorter speech is dropped, in seconds'),
  minSilence: z.number().min(0).default(0.4).describe('shorter silence does not end speech, in seconds'),
  pad: z.number().min(0).default(0.1).describe('what is kept before and after speech, in seconds'),
}

export interface JoinSettings {
  minSpeech: number
  minSilence: number
  pad: number
}

// Where a row of scores says that somebody speaks. Speech begins at `enter` and lasts until the score falls below `leave`:
// two limits, so that a score that wavers about one of them does not tear speech apart.
export class SpeechScores {
  readonly spans: Span[] = []
  readonly #enter: number
  readonly #leave: number
  #open: Span | undefined

  constructor(enter: number, leave: number) {
    this.#enter = enter
    this.#leave = leave
  }

  push(score: number, span: Span): void {
    if (this.#open && score >= this.#leave) this.#open.end = span.end
    else if (this.#open) this.#open = undefined
    else if (score >= this.#enter) {
      this.#open = { ...span }
      this.spans.push(this.#open)
    }
  }
}

export function joinSpeech(spans: readonly Span[], settings: JoinSettings, duration: number): Span[] {
  const long = mergeSpans(spans, settings.minSilence).filter(span => span.end - span.start >= settings.minSpeech)
  const padded = long.map(span => ({ start: Math.max(0, span.start - settings.pad), end: span.end + settings.pad }))
  return mergeSpans(padded)
    .map(span => clampSpan(span, duration))
    .filter(span => span.end > span.start)
}
