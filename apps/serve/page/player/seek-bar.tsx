import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { visibleText } from '../../../../src/core/words/visible-text.ts'
import { StillImage } from '../parts/still.tsx'
import type { PlayerClock } from './clock.ts'

type Chapter = NonNullable<VideoDetails['overview']>['chapters'][number]

export function chapterAt(video: VideoDetails, time: number): Chapter | undefined {
  return video.overview?.chapters.findLast(({ span }) => time >= span.start)
}

interface SeekBarProps {
  video: VideoDetails
  clock: PlayerClock
  cited: ReadonlySignal<readonly Span[]>
}

// The time as one line: chapters, what the answer cites, where the video is, and what is below the pointer. Its keys are those of the view.
export function SeekBar({ video, clock, cited }: SeekBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const hover = useSignal<number | undefined>(undefined)
  const drag = useSignal(false)
  const { duration } = clock
  const percent = (seconds: number) => `${duration > 0 ? (100 * seconds) / duration : 0}%`
  const timeAt = (event: PointerEvent) => {
    const { left, width } = (bar.current as HTMLDivElement).getBoundingClientRect()
    return Math.min(Math.max(0, (event.clientX - left) / Math.max(1, width)), 1) * duration
  }
  const second = useComputed(() => Math.floor(clock.time.value))
  const chapters = video.overview?.chapters ?? []
  const title = chapterAt(video, second.value)?.title
  return (
    <div
      ref={bar}
      class="seek-bar"
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={second.value}
      aria-valuetext={`${formatTime(second.value)} of ${formatTime(duration)}${title ? `, ${visibleText(title)}` : ''}`}
      onPointerDown={event => {
        if (event.button !== 0) return
        bar.current?.setPointerCapture(event.pointerId)
        drag.value = true
        clock.seek(timeAt(event))
      }}
      onPointerMove={event => {
        hover.value = timeAt(event)
        if (drag.value) clock.seek(hover.value)
      }}
      onPointerUp={() => {
        drag.value = false
      }}
      onPointerLeave={() => {
        hover.value = undefined
      }}
    >
      <span class="seek-line" />
      <Played clock={clock} />
      {chapters.slice(1).map(({ span }) => (
        <span key={span.start} class="seek-cut" style={{ left: percent(span.start) }} />
      ))}
      {cited.value.map(({ start, end }, at) => (
        <span key={at} class="seek-cited" style={{ left: percent(start), width: percent(Math.max(0, end - start)) }} />
      ))}
      {hover.value !== undefined && (
        <span class="seek-hover" style={{ left: percent(hover.value) }} aria-hidden="true">
          {video.picture && video.coverage && <StillImage base={video.media.still} second={Math.round(hover.value)} />}
          <b>{formatTime(hover.value)}</b> <bdi>{visibleText(chapterAt(video, hover.value)?.title ?? '')}</bdi>
        </span>
      )}
    </div>
  )
}

// By itself, as it changes with each frame.
function Played({ clock }: { clock: PlayerClock }) {
  const share = clock.duration > 0 ? (100 * clock.time.value) / clock.duration : 0
  return <span class="seek-played" style={{ width: `${share}%` }} />
}
