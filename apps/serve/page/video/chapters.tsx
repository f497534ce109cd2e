import { useComputed, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../parts/text.tsx'
import type { PlayerClock } from '../player/clock.ts'

// The chapters of the overview, one after the other.
export function Chapters({ video, clock }: { video: VideoDetails; clock: PlayerClock }) {
  const chapters = video.overview?.chapters ?? []
  const current = useComputed(() => {
    const time = clock.time.value
    return chapters.findIndex(({ span }) => time >= span.start && time < span.end)
  })
  const list = useRef<HTMLOListElement>(null)
  useSignalEffect(() => {
    const item = list.current?.children[current.value]
    if (!(item instanceof HTMLElement) || !list.current) return
    const { scrollLeft, clientWidth } = list.current
    if (item.offsetLeft < scrollLeft || item.offsetLeft + item.offsetWidth > scrollLeft + clientWidth)
      list.current.scrollLeft = item.offsetLeft
  })
  if (chapters.length < 2) return null
  return (
    <nav class="chapters" aria-label="Chapters">
      <ol ref={list}>
        {chapters.map(({ span, title }, at) => (
          <li key={span.start}>
            <button
              type="button"
              class="quiet"
              aria-current={at === current.value ? 'true' : undefined}
              onClick={() => clock.seek(span.start)}
            >
              <span class="row-time">{formatTime(span.start)}</span> <Text of={title} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
