import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { Evidence } from '../../../../src/core/evidence.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'

// The address of a moment of a video, and who asked for it.
function momentAddress(video: string, { start, end }: Evidence['span'], row?: string, run?: string): string {
  return pageAddress('video', { video }, { t: `${start}-${end}`, row, run })
}

interface RowLineProps {
  row: Pick<Evidence, 'id' | 'span' | 'track' | 'text' | 'speaker'>
  video: string | undefined
  run: string
  isNew?: boolean
  isCited?: boolean
}

// One row of evidence: when, what of, what it says. Its time opens the video there.
export function EvidenceLine({ row: { id, span, track, text, speaker }, video, run, isNew, isCited }: RowLineProps) {
  const time = formatTime(span.start)
  return (
    <li class={isNew ? 'row fresh' : 'row'}>
      {video === undefined ? <span class="time">{time}</span> : <MomentLink {...{ video, span, row: id, run }} />}
      <span class={`track ${track}`}>{track}</span>
      <span class="said">
        {speaker !== undefined && <Text class="dim" of={`${speaker}: `} />}
        <Text of={text} />
      </span>
      {(isNew || isCited) && (
        <span class={`chip ${isCited ? 'bad' : 'good'}`}>
          {[isNew && 'new', isCited && 'cited'].filter(Boolean).join(', ')}
        </span>
      )}
    </li>
  )
}

export function MomentLink(moment: { video: string; span: Evidence['span']; row: string; run: string }) {
  const { video, span, row, run } = moment
  return (
    <a
      class="time"
      href={momentAddress(video, span, row, run)}
      title={`${formatTime(span.start)}-${formatTime(span.end)}`}
    >
      {formatTime(span.start)}
    </a>
  )
}
