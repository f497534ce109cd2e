import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import type { PlayerClock } from '../player/clock.ts'
import { Citations, goToRow } from '../rows/citations.tsx'
import type { ShownRow } from '../rows/row-source.ts'

interface FirstLookProps {
  video: VideoDetails
  clock: PlayerClock
  jump(row: ShownRow): void
  ask(question: string): void
}

// Before the first question: what the video holds, and what to ask.
export function FirstLook({ video, clock, jump, ask }: FirstLookProps) {
  const { whole = [], chapters = [] } = video.overview ?? {}
  return (
    <div class="first-look">
      {whole.length > 0 ? (
        <p class="overview">
          {whole.slice(0, 3).map(({ text, cites }, at) => (
            <span key={at}>
              <Text of={text} /> <Citations of={text} rows={cites} go={goToRow(video.id, jump)} />{' '}
            </span>
          ))}
        </p>
      ) : (
        chapters.length > 1 && (
          <ol class="overview" aria-label="Chapters">
            {chapters.slice(0, 12).map(({ span, title }) => (
              <li key={span.start}>
                <button type="button" class="quiet" onClick={() => clock.seek(span.start)}>
                  <span class="row-time">{formatTime(span.start)}</span> <Text of={title} />
                </button>
              </li>
            ))}
          </ol>
        )
      )}
      <h3 class="small dim">Ask, for example</h3>
      <ul class="suggestions">
        {suggestedQuestions(video).map(question => (
          <li key={question}>
            <button type="button" onClick={() => ask(question)}>
              <Text of={question} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

// Three, by rules: of the whole, of its longest chapter, of a person or of its end.
export function suggestedQuestions({ overview, people, coverage }: VideoDetails): string[] {
  const chapters = overview?.chapters ?? []
  const longest = [...chapters].sort((a, b) => b.span.end - b.span.start - (a.span.end - a.span.start))[0]
  const name = people?.people.find(({ names }) => names.length > 0)?.names[0]?.name
  const spoken = coverage?.speech.state !== 'absent'
  return [
    'Summarise the video',
    chapters.length > 1 && longest
      ? `What is said about “${longest.title}”?`
      : spoken
        ? 'What is said at the beginning?'
        : 'What is shown at the beginning?',
    name !== undefined ? `When does ${name} speak?` : spoken ? 'What is said at the end?' : 'What is shown at the end?',
  ]
}
