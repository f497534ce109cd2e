import type { VideoDetails } from '../../core/api/video.ts'
import { formatTime } from '../../core/words/time-text.ts'
import { states } from '../library/state.tsx'
import { formatBytes } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'

const titles: Partial<Record<VideoDetails['state'], string>> = {
  ready: 'indexed',
  partial: 'indexed in part',
  changed: 'file has changed',
}

export function VideoHead({ video }: { video: VideoDetails }) {
  const { name, duration, picture, sound, bytes, state, why } = video
  const { sign, word, tone } = states[state]
  const facts = [
    formatTime(duration),
    picture && `${picture.width} × ${picture.height} ${picture.codec}`,
    sound ? sound.codec : 'no sound',
    formatBytes(bytes),
  ]
  return (
    <header class="video-head">
      <a class="skip" href="#ask">
        Skip to the question
      </a>
      <h1>
        <Text of={name} />
      </h1>
      <span class={`chip ${tone}`} title={why}>
        <span aria-hidden="true">{sign}</span> {titles[state] ?? word}
      </span>
      <p class="small dim">{facts.filter(Boolean).join(' · ')}</p>
    </header>
  )
}
