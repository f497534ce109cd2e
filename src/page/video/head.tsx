import type { VideoDetails } from '../../core/api/video.ts'
import { formatTime } from '../../core/time-text.ts'
import { formatBytes } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'

const states: Record<VideoDetails['state'], { title: string; look: string }> = {
  ready: { title: 'indexed', look: 'good' },
  partial: { title: 'indexed in part', look: 'warn' },
  waiting: { title: 'not indexed', look: '' },
  indexing: { title: 'indexing', look: '' },
  changed: { title: 'file has changed', look: 'warn' },
  gone: { title: 'file gone', look: 'bad' },
}

export function VideoHead({ video }: { video: VideoDetails }) {
  const { name, duration, picture, sound, bytes, state, why } = video
  const { title, look } = states[state]
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
      <span class={`chip ${look}`} title={why}>
        {title}
      </span>
      <p class="small dim">{facts.filter(Boolean).join(' · ')}</p>
    </header>
  )
}
