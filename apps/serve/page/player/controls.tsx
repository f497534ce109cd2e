import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { Icon } from '../parts/icon.tsx'
import type { PlayerClock } from './clock.ts'
import { chapterAt, SeekBar } from './seek-bar.tsx'

interface ControlsProps {
  video: VideoDetails
  clock: PlayerClock
  cited: ReadonlySignal<readonly Span[]>
  element: RefObject<HTMLVideoElement | null> // what plays, unless the file is missing
}

const rates = [0.5, 0.75, 1, 1.25, 1.5, 2]

export function PlayerControls({ video, clock, cited, element }: ControlsProps) {
  const captions = useSignal(false)
  const muted = useSignal(false)
  const title = useComputed(() => chapterAt(video, Math.floor(clock.time.value))?.title)
  const player = () => element.current
  const canPlay = video.state !== 'gone'
  return (
    <div class="controls">
      <SeekBar video={video} clock={clock} cited={cited} />
      <div class="controls-row">
        {canPlay && (
          <>
            <button type="button" class="quiet" onClick={() => clock.toggle()}>
              <span aria-hidden="true">{clock.playing.value ? '❚❚' : '▶'}</span>
              <span class="hidden-text">{clock.playing.value ? 'Pause' : 'Play'}</span>
            </button>
            <button
              type="button"
              class="quiet"
              aria-label="Back 10 s"
              onClick={() => clock.seek(clock.time.peek() - 10)}
            >
              −10
            </button>
            <button
              type="button"
              class="quiet"
              aria-label="Forward 10 s"
              onClick={() => clock.seek(clock.time.peek() + 10)}
            >
              +10
            </button>
          </>
        )}
        <p class="time number">
          {clock.label} <span class="dim">/ {formatTime(clock.duration)}</span>
        </p>
        <p class="chapter dim small">{title.value !== undefined && <Text of={title.value} />}</p>
        {canPlay && (
          <>
            {video.coverage && (
              <button
                type="button"
                class="quiet"
                aria-pressed={captions.value}
                onClick={() => {
                  captions.value = !captions.value
                  const track = player()?.textTracks[0]
                  if (track) track.mode = captions.value ? 'showing' : 'hidden'
                }}
              >
                CC<span class="hidden-text"> captions</span>
              </button>
            )}
            <select
              aria-label="Speed"
              onChange={event => {
                const media = player()
                if (media) media.playbackRate = Number(event.currentTarget.value)
              }}
            >
              {rates.map(rate => (
                <option key={rate} value={rate} selected={rate === 1}>
                  {rate}×
                </option>
              ))}
            </select>
            {video.sound && (
              <button
                type="button"
                class="quiet"
                aria-pressed={muted.value}
                onClick={() => {
                  muted.value = !muted.value
                  const media = player()
                  if (media) media.muted = muted.value
                }}
              >
                Mute
              </button>
            )}
            {video.picture && (
              <button
                type="button"
                class="quiet"
                aria-label="Full screen"
                onClick={() => {
                  if (document.fullscreenElement) void document.exitFullscreen()
                  else void player()?.closest('.player')?.requestFullscreen()
                }}
              >
                <Icon name="full" />
              </button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
