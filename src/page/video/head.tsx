import type { VideoDetails } from '../../core/api/video.ts'
import { formatTime } from '../../core/words/time-text.ts'
import { shownState } from '../library/state.tsx'
import { formatSize } from '../parts/format.ts'
import { StateChip } from '../parts/state-chip.tsx'
import { Text } from '../parts/text.tsx'

const titles: Partial<Record<VideoDetails['state'], string>> = {
  ready: 'indexed',
  partial: 'indexed in part',
  changed: 'file has changed',
}

export function VideoHead({ video }: { video: VideoDetails }) {
  const { name, duration, picture, sound, bytes, state, why } = video
  const facts = [
    formatTime(duration),
    picture && `${picture.width} × ${picture.height} ${picture.codec}`,
    sound ? sound.codec : 'no sound',
    formatSize(bytes),
  ]
  return (
    <header class="video-head">
      <a class="skip" href="#ask">
        Skip to the question
      </a>
      <h1>
        <Text of={name} />
      </h1>
      <StateChip of={shownState(state)} title={why}>
        {titles[state]}
      </StateChip>
      <p class="small dim">{facts.filter(Boolean).join(' · ')}</p>
    </header>
  )
}
