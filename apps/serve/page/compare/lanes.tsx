import { useSignal } from '@preact/signals'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { filmMarks } from '../run/film-marks.ts'
import { Strip, TimeAxis } from '../run/strip.tsx'
import type { RunReply } from '../run/types.ts'
import { recordedVideo } from '../run/video-of.ts'

// Where each has been in the video: two strips with one clock and one zoom.
export function ComparedLanes({ same, ofA, ofB }: { same: boolean; ofA: RunReply; ofB: RunReply }) {
  const duration = Math.max(recordedVideo(ofA)?.duration ?? 0, recordedVideo(ofB)?.duration ?? 0)
  const visibleSpan = useSignal<Span>({ start: 0, end: duration })
  const clock = useSignal<number | undefined>(undefined)
  if (duration === 0) return null
  return (
    <section class="panel where" aria-labelledby="lanes-title">
      <header>
        <h2 id="lanes-title">Where they have been</h2>
        {same && <Zoom shown={visibleSpan.value} duration={duration} change={span => (visibleSpan.value = span)} />}
      </header>
      {same ? (
        <>
          <Strip title="A" marks={filmMarks(ofA)} shown={visibleSpan.value} clock={clock} />
          <Strip title="B" marks={filmMarks(ofB)} shown={visibleSpan.value} clock={clock} />
          <TimeAxis shown={visibleSpan.value} clock={clock} />
        </>
      ) : (
        <p class="dim">They are about different videos, which have no common clock.</p>
      )}
    </section>
  )
}

interface ZoomProps {
  shown: Span
  duration: number
  change(shown: Span): void
}

const shortest = 2 // seconds

function Zoom({ shown, duration, change }: ZoomProps) {
  const length = shown.end - shown.start
  const zoom = (factor: number) => {
    const newLength = Math.min(duration, Math.max(shortest, length * factor))
    const start = Math.min(Math.max(0, (shown.start + shown.end - newLength) / 2), duration - newLength)
    change({ start, end: start + newLength })
  }
  const move = (by: number) => {
    const start = Math.min(Math.max(0, shown.start + by * length), duration - length)
    change({ start, end: start + length })
  }
  return (
    <p class="zoom">
      <button type="button" aria-label="Earlier" disabled={shown.start <= 0} onClick={() => move(-0.5)}>
        ←
      </button>
      <button type="button" aria-label="Later" disabled={shown.end >= duration} onClick={() => move(0.5)}>
        →
      </button>
      <button type="button" aria-label="Zoom out" disabled={length >= duration} onClick={() => zoom(2)}>
        −
      </button>
      <button type="button" aria-label="Zoom in" disabled={length <= shortest} onClick={() => zoom(0.5)}>
        +
      </button>
      <span class="dim small" role="status">
        {formatTime(shown.start)}-{formatTime(shown.end)}
      </span>
    </p>
  )
}
