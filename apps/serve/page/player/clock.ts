import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'

// What plays, where something does.
interface Transport {
  seek(seconds: number): void
  toggle(): void
}

// All that player, lanes, rows and chat know of each other: where the video is, in seconds of the video.
export interface PlayerClock {
  duration: number
  time: ReadonlySignal<number>
  label: ReadonlySignal<string> // "12:34"; changes once a second
  playing: ReadonlySignal<boolean>
  marked: ReadonlySignal<Span | undefined> // the span that was jumped to, until the time leaves it
  sought: ReadonlySignal<number> // counts the jumps
  seek(to: number | Span): void
  toggle(): void
  attach(transport: Transport): () => void
  report(time: number, playing: boolean): void // by what plays
}

export function createClock(duration: number): PlayerClock {
  const time = signal(0)
  const playing = signal(false)
  const marked = signal<Span | undefined>(undefined)
  const sought = signal(0)
  let transport: Transport | undefined
  return {
    ...{ duration, time, playing, marked, sought },
    label: computed(() => formatTime(time.value)),
    seek(to) {
      const span = typeof to === 'number' ? undefined : to
      const at = Math.min(Math.max(0, span ? span.start : (to as number)), duration)
      marked.value = span
      time.value = at
      sought.value = sought.peek() + 1
      transport?.seek(at)
    },
    toggle: () => transport?.toggle(),
    attach(other) {
      transport = other
      if (time.value > 0) other.seek(time.value)
      return () => {
        if (transport === other) transport = undefined
      }
    },
    report(now, plays) {
      playing.value = plays
      time.value = Math.min(Math.max(0, now), duration)
      const span = marked.value
      // A frame is shown a little before the second that was asked for.
      if (span && (now < span.start - 0.5 || now >= Math.max(span.end, span.start + 0.5))) marked.value = undefined
    },
  }
}

// "754", "754.2-791" of the address, in seconds.
export function spanOfText(text: string | null): number | Span | undefined {
  const [, start, end] = /^(\d{1,7}(?:\.\d{1,6})?)(?:-(\d{1,7}(?:\.\d{1,6})?))?$/.exec(text ?? '') ?? []
  if (start === undefined) return undefined
  return end === undefined || Number(end) <= Number(start) ? Number(start) : { start: Number(start), end: Number(end) }
}

export function textOfSpan({ start, end }: Span): string {
  const short = (seconds: number) => String(Math.round(seconds * 1000) / 1000)
  return end > start ? `${short(start)}-${short(end)}` : short(start)
}
