import { type Span, spanLength } from '../../../src/core/time.ts'
import type { Label } from './label-frames.ts'
import type { SoundEvent, SoundEventKind } from './sound-event.ts'
import { frameSeconds, type SoundFrame } from './sound-frame.ts'

// Seconds: how far apart two of a kind may lie and still be one event, and how long an event must be to count.
const rules: Record<SoundEventKind, { gap: number; min: number }> = {
  tone: { gap: 1, min: 0.08 },
  sweep: { gap: 1, min: 0.5 },
  ring: { gap: 0.6, min: 0.3 },
  knock: { gap: 0.8, min: 0 },
  burst: { gap: 0.8, min: 0.05 },
  crackle: { gap: 1, min: 0.6 },
  speech: { gap: 1, min: 0.3 },
  music: { gap: 1.2, min: 1 },
  noise: { gap: 0.6, min: 1.5 },
  rumble: { gap: 0.6, min: 1.5 },
  hiss: { gap: 0.6, min: 1.5 },
  backdrop: { gap: 0.6, min: 2 },
  louder: { gap: 0, min: 0 },
  quieter: { gap: 0, min: 0 },
  hum: { gap: 1, min: 1 },
  silence: { gap: 0, min: 1 },
}
const maxGap = 2 // seconds after which no event grows any more

interface Run {
  label: Label
  span: Span
  levels: number
  centre: number
  frames: number
}

// Labelled frames, in order, to events: runs of one label, joined over short gaps of silence.
export class EventBuilder {
  #run: Run | undefined
  #waiting: SoundEvent[] = [] // by their beginnings
  #past: SoundEvent[] = []

  push(label: Label, frame: SoundFrame, time: number): SoundEvent[] {
    const run = this.#run
    if (run && continues(run.label, label) && time - run.span.end < frameSeconds / 2) {
      run.label = label
      run.span.end = time + frameSeconds
      run.levels = Math.max(run.levels, frame.level)
      run.centre += frame.centre
      run.frames++
      return []
    }
    this.#close()
    const span = { start: time, end: time + frameSeconds }
    this.#run = { label, span, levels: frame.level, centre: frame.centre, frames: 1 }
    return this.#settled(time - maxGap)
  }

  // An event that was found by other means, to be given in its place.
  add(event: SoundEvent): void {
    const at = this.#waiting.findLastIndex(other => other.span.start <= event.span.start)
    this.#waiting.splice(at + 1, 0, event)
  }

  finish(): SoundEvent[] {
    this.#close()
    return this.#settled(Number.POSITIVE_INFINITY)
  }

  #close(): void {
    const run = this.#run
    this.#run = undefined
    if (!run) return
    const { kind, singular } = run.label
    const before = this.#waiting.findLast(event => event.kind === kind && samePitch(event, singular?.pitch))
    if (before && run.span.start - before.span.end <= rules[kind].gap) {
      before.span.end = Math.max(before.span.end, run.span.end)
      before.count++
      before.level = Math.max(before.level, run.levels)
      return
    }
    if (this.#blend(kind, run)) return
    const { span, levels: level } = run
    const pitch = singular?.pitch
    this.add({ kind, span, count: 1, centre: run.centre / run.frames, level, ...(pitch ? { pitch } : {}) })
  }

  // A short piece of one noise beside another is part of it.
  #blend(kind: SoundEventKind, { span, levels }: Run): boolean {
    const last = this.#waiting.at(-1)
    if (!last || !isNoise(kind) || !isNoise(last.kind) || span.start - last.span.end > frameSeconds) return false
    if (spanLength(span) >= rules[kind].min && spanLength(last.span) >= rules[last.kind].min) return false
    if (spanLength(span) > spanLength(last.span)) last.kind = kind
    last.span.end = span.end
    last.level = Math.max(last.level, levels)
    return true
  }

  // Events that can no longer grow, in the order of their beginnings.
  #settled(until: number): SoundEvent[] {
    const open = this.#waiting.findIndex(event => event.span.end >= until)
    const closed = this.#waiting.slice(0, open < 0 ? this.#waiting.length : open)
    const events = closed.filter(
      event => spanLength(event.span) >= rules[event.kind].min - 1e-6 && !this.#isEdge(event),
    )
    this.#past = [...this.#past, ...closed].slice(-20)
    this.#waiting.splice(0, closed.length)
    return events
  }

  // A change of loudness is not an event of its own where a sound begins or ends.
  #isEdge({ kind, span }: SoundEvent): boolean {
    if (!isChange(kind)) return false
    const near = (time: number) => Math.abs(time - span.start) < 1.5
    return [...this.#past, ...this.#waiting].some(
      other => !isChange(other.kind) && (near(other.span.start) || near(other.span.end)),
    )
  }
}

function isNoise(kind: SoundEventKind): boolean {
  return kind === 'noise' || kind === 'rumble' || kind === 'hiss' || kind === 'backdrop'
}

function isChange(kind: SoundEventKind): boolean {
  return kind === 'louder' || kind === 'quieter'
}

// One texture going on, or one and the same singular sound.
function continues(a: Label, b: Label): boolean {
  if (a.kind !== b.kind) return false
  if (!a.singular || !b.singular) return a.singular === b.singular
  return Math.abs(a.singular.from - b.singular.from) <= 2
}

function samePitch(event: SoundEvent, pitch: SoundEvent['pitch']): boolean {
  if (!event.pitch || !pitch) return !event.pitch === !pitch
  return Math.abs(Math.log(event.pitch.low / pitch.low)) < 0.08
}
