import { z } from 'zod'
import { clampSpan, mergeSpans, type Span, touches } from '../../src/core/time.ts'

// The settings that every voice finder shares, in seconds: spread them into its schema.
export const joinSettings = {
  minSpeech: z.number().min(0).default(0.2).describe('shorter speech is dropped, in seconds'),
  minSilence: z.number().min(0).default(0.4).describe('shorter silence does not end speech, in seconds'),
  pad: z.number().min(0).default(0.1).describe('what is kept before and after speech, in seconds'),
}

interface JoinSettings {
  minSpeech: number
  minSilence: number
  pad: number
}

// The spans in which scores show speech. Speech begins at `enter` and lasts until the score falls below `leave`: hysteresis, so
// that a score that wavers about one limit does not split it.
export class SpeechScores {
  readonly spans: Span[] = []
  readonly #limits: { enter: number; leave: number }
  #open: Span | undefined

  constructor(limits: { enter: number; leave: number }) {
    this.#limits = limits
  }

  push(score: number, span: Span): void {
    if (score < (this.#open ? this.#limits.leave : this.#limits.enter)) this.#open = undefined
    else if (this.#open) this.#open.end = span.end
    else {
      this.#open = { ...span }
      this.spans.push(this.#open)
    }
  }
}

const nearBy = 2 // seconds

// A sentence may begin or go on faintly. What is near no sure voice is noise, and what touches one is the breath around it.
export function addFaintSpeech(
  sure: readonly Span[],
  faint: readonly Span[],
  settings: JoinSettings,
  duration: number,
): Span[] {
  const near = joinSpeech(sure, settings, duration).map(({ start, end }) => ({
    start: start - nearBy,
    end: end + nearBy,
  }))
  const added = faint.filter(
    span => near.some(voice => touches(span, voice)) && !sure.some(voice => touches(span, voice)),
  )
  return [...sure, ...added].sort((a, b) => a.start - b.start)
}

export function joinSpeech(spans: readonly Span[], settings: JoinSettings, duration: number): Span[] {
  const long = mergeSpans(spans, settings.minSilence).filter(span => span.end - span.start >= settings.minSpeech)
  const padded = long.map(span => ({ start: Math.max(0, span.start - settings.pad), end: span.end + settings.pad }))
  return mergeSpans(padded)
    .map(span => clampSpan(span, duration))
    .filter(span => span.end > span.start)
}
