import type { VideoDetails } from '../../../../src/core/api/video.ts'
import type { OverviewSentence } from '../../../../src/core/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { Citations, goToRow } from '../rows/citations.tsx'
import type { ShownRow } from '../rows/row-source.ts'

// What a language model wrote of the video: the whole, its chapters and what stays open, each sentence with its rows.
export function WrittenOverview({ video, jump }: { video: VideoDetails; jump(row: ShownRow): void }) {
  const { whole = [], chapters = [], threads = [] } = video.overview ?? {}
  if (whole.length === 0) return null
  const go = goToRow(video.id, jump)
  return (
    <details class="written-overview">
      <summary>Overview</summary>
      <Sentences told={whole} go={go} />
      {chapters.map(({ span, title, sentences = [] }) => (
        <section key={span.start}>
          <h2>
            <span class="row-time">{formatTime(span.start)}</span> <Text of={title} />
          </h2>
          <Sentences told={sentences} go={go} />
        </section>
      ))}
      {threads.length > 0 && <h2>Left open</h2>}
      <Sentences told={threads} go={go} />
    </details>
  )
}

function Sentences({ told, go }: { told: readonly OverviewSentence[]; go(row: string): void }) {
  if (told.length === 0) return null
  return (
    <p>
      {told.map(({ text, cites }, at) => (
        <span key={at} class="sentence">
          <Text of={text} /> <Citations of={text} rows={cites} go={go} />{' '}
        </span>
      ))}
    </p>
  )
}
