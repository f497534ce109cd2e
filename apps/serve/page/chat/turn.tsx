import { useSignal } from '@preact/signals'
import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { gapsBetween } from '../../../../src/core/basics/gaps.ts'
import type { Span } from '../../../../src/core/time.ts'
import type { Coverage } from '../../../../src/core/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { visibleText } from '../../../../src/core/words/visible-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatCount } from '../parts/format.ts'
import type { ShownRow } from '../rows/row-source.ts'
import { AnswerView, type RowPlaces } from './answer.tsx'
import type { Conversation } from './conversation.ts'
import type { Film } from './film.ts'
import { IndexProgress } from './index-progress.tsx'
import { FilmSteps } from './steps.tsx'
import { isUnderWay, type ShownTurn } from './turns.ts'

export interface TurnViewProps {
  turn: ShownTurn
  chat: Conversation
  video?: VideoDetails // if it is asked about one
  places: RowPlaces
  isActive: boolean
  jump(row: ShownRow): void
}

// A question, how it is being answered, and its answer.
export function TurnView({ turn, chat, video, places, isActive, jump }: TurnViewProps) {
  const { job, run, asked } = turn
  // A film is read where it is looked at: while it goes on, for its answer, or because somebody opened it.
  const open = useSignal(false)
  const live = isUnderWay(turn)
  const needed = live || isActive || open.value || turn.answer === undefined
  const film = chat.film(needed ? run : undefined).value
  const answer = turn.answer ?? film.answer
  const rows = chat.rows(film)
  const choose = (row: ShownRow) => {
    chat.choose(turn)
    jump(row)
  }
  return (
    <article
      class={isActive ? 'turn active' : 'turn'}
      aria-label={`Question: ${visibleText(asked || film.question || '')}`}
    >
      <p class="asked">
        <Text of={asked || film.question || ''} />
      </p>
      {live && job && <Progress job={job} film={film} chat={chat} isIndexed={!video || video.coverage !== undefined} />}
      {!live && film.items.length + (run === undefined ? 0 : 1) > 0 && (
        <details
          class="turn-steps"
          onToggle={event => {
            open.value = event.currentTarget.open
          }}
        >
          <summary class="small dim">{stepsText(film)}</summary>
          <FilmSteps film={film} live={false} />
        </details>
      )}
      {answer && (
        <AnswerView places={places} answer={answer} options={turn.options ?? film.options} rows={rows} jump={choose} />
      )}
      {answer && video?.coverage && <LookedLine coverage={video.coverage} />}
      {job && <Ended job={job} chat={chat} answered={answer !== undefined} />}
      {!live && run !== undefined && (
        <p class="turn-links small">
          {!isActive && video && (
            <button type="button" class="quiet link" onClick={() => chat.choose(turn)}>
              Show its evidence
            </button>
          )}
          <a href={pageAddress('run', { run })}>How it got there</a>
        </p>
      )}
    </article>
  )
}

function stepsText(film: Film): string {
  const calls = film.items.filter(item => item.kind === 'call').length
  return calls === 0 ? 'Steps' : `${formatCount(calls, 'call')}, ${formatCount(film.rows.size, 'row')} read`
}

// While it is under way: stages of the index, then the steps.
function Progress({ job, film, chat, isIndexed }: { job: Job; film: Film; chat: Conversation; isIndexed: boolean }) {
  const stages = job.run === undefined ? chat.stages(job) : []
  return (
    <div class="going">
      {job.run !== undefined ? (
        <FilmSteps film={film} live />
      ) : stages.length > 0 || (job.state === 'running' && !isIndexed) ? (
        <IndexProgress stages={stages} />
      ) : (
        <p class="dim small">{job.state === 'waiting' ? 'Waiting for its turn…' : 'Starting…'}</p>
      )}
      <button type="button" class="stop" onClick={() => chat.stop(job)}>
        Stop
      </button>
    </div>
  )
}

// Why there is no answer, and the next step.
function Ended({ job, chat, answered }: { job: Job; chat: Conversation; answered: boolean }) {
  if (!isOver(job.state) || job.state === 'done') return null
  const { error, state, goOn } = job
  const message = error?.message ?? (state === 'cancelled' ? 'Stopped.' : 'This question was not answered.')
  const hint = error?.code === 'interrupted' ? 'Finished steps are kept.' : error?.hint
  return (
    <div class={state === 'failed' ? 'problem' : 'stopped'} role={state === 'failed' ? 'alert' : undefined}>
      <p>
        <Text of={answered ? `Answered only in part: ${message}` : message} />
      </p>
      {hint !== undefined && (
        <p class="dim small">
          <Text of={hint} />
        </p>
      )}
      {goOn !== undefined && (
        <button type="button" onClick={() => chat.resume(job)}>
          Resume
        </button>
      )}
    </div>
  )
}

const tracks = ['picture', 'speech', 'text', 'sound'] as const

interface Looked {
  track: (typeof tracks)[number] | 'caption'
  missing: Span[] // of a second and more
  state: Coverage['picture']['state']
}

// What an answer can rest on: how much of each track was looked at. A track that the video does not have is left out.
export function lookedAt(coverage: Coverage): Looked[] {
  const whole = { start: 0, end: coverage.duration }
  const { caption } = coverage
  const trackStates = [
    ...tracks.map(track => ({ track, ...coverage[track] })),
    ...(caption ? [{ track: 'caption' as const, ...caption }] : []),
  ]
  return trackStates.flatMap(({ track, state, spans }) => {
    if (state === 'absent') return []
    const gaps = state === 'off' || state === 'failed' ? [whole] : gapsBetween(spans, whole)
    return [{ track, missing: gaps.filter(gap => gap.end - gap.start >= 1), state }]
  })
}

const most = 4 // gaps that are named

// What the answer could not rest on; nothing if all was searched.
function LookedLine({ coverage }: { coverage: Coverage }) {
  const missing = lookedAt(coverage)
    .filter(({ state }) => state !== 'off')
    .flatMap(({ track, missing }) => missing.map(span => ({ track, span })))
  if (missing.length === 0) return null
  const rest = missing.length - most
  return (
    <p class="looked-line small">
      Not searched:{' '}
      {missing
        .slice(0, most)
        .map(({ track, span }) => `${track} ${spanText(span)}`)
        .join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </p>
  )
}

function spanText({ start, end }: Span): string {
  return `${formatTime(start)}–${formatTime(end)}`
}
