import type { VideoDetails } from '../../core/api/video.ts'
import type { Told } from '../../core/video.ts'
import { formatTime } from '../../core/words/time-text.ts'
import { api } from '../api.ts'
import { Text } from '../parts/text.tsx'
import type { ShownRow } from '../rows/row-source.ts'

// What a language model wrote of the video: the whole, its chapters and what stays open, each sentence with its rows.
export function WrittenOverview({ video, jump }: { video: VideoDetails; jump(row: ShownRow): void }) {
  const { whole = [], chapters = [], threads = [] } = video.overview ?? {}
  if (whole.length === 0) return null
  const go = (row: string) =>
    api('GET /videos/:video/rows/:row', { params: { video: video.id, row } }).then(jump, () => {}) // an index made again has other rows
  return (
    <details class="written-overview">
      <summary>Overview</summary>
      <Sentences told={whole} go={go} />
      {chapters.map(({ span, title, sentences = [] }) => (
        <section key={span.start}>
          <h3>
            <span class="row-time">{formatTime(span.start)}</span> <Text of={title} />
          </h3>
          <Sentences told={sentences} go={go} />
        </section>
      ))}
      {threads.length > 0 && <h3>Left open</h3>}
      <Sentences told={threads} go={go} />
    </details>
  )
}

function Sentences({ told, go }: { told: readonly Told[]; go(row: string): void }) {
  if (told.length === 0) return null
  return (
    <p>
      {told.map(({ text, cites }, at) => (
        <span key={at} class="sentence">
          <Text of={text} />{' '}
          {cites.map((id, nth) => (
            <button
              key={id}
              type="button"
              class="citation"
              aria-label={`Row ${nth + 1} of "${text}"`}
              onClick={() => go(id)}
            >
              [{nth + 1}]
            </button>
          ))}{' '}
        </span>
      ))}
    </p>
  )
}
