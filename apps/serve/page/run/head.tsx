import { useSignal } from '@preact/signals'
import { pageAddress, questionAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatCount, formatDate, formatSeconds, formatShare } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { Fork } from './fork.tsx'
import { VerdictMark } from './outcome.tsx'
import { MomentLink } from './row-line.tsx'
import { jobAt, shownRunState } from './state.tsx'
import type { RunReply } from './types.ts'
import { recordedVideo } from './video-of.ts'

// What was asked, how it ended, what can be done with it.
export function RunHead({ run, again }: { run: RunReply; again(): void }) {
  const { question, name, answer, forked } = run
  const open = useSignal<'fork' | 'compare' | undefined>(undefined)
  const toggle = (which: 'fork' | 'compare') => {
    open.value = open.value === which ? undefined : which
  }
  return (
    <header class="run-head">
      <div class="title-line">
        <h1>
          <Text of={question?.text ?? name} />
        </h1>
        <div class="actions">
          {run.rounds.length > 0 && (
            <button type="button" aria-expanded={open.value === 'fork'} onClick={() => toggle('fork')}>
              Fork…
            </button>
          )}
          <button type="button" aria-expanded={open.value === 'compare'} onClick={() => toggle('compare')}>
            Compare with…
          </button>
        </div>
      </div>
      {open.value === 'fork' && <Fork run={run} />}
      {open.value === 'compare' && <CompareWith run={run} />}
      <Facts run={run} />
      {question?.options && <Choices options={question.options} />}
      {answer && <RecordedAnswer of={answer} run={run.id} />}
      <HowItEnded run={run} again={again} />
      {forked && (
        <p class="small">
          Forked after step {forked.step} of <a href={pageAddress('run', { run: forked.run })}>another run</a> ·{' '}
          <a href={pageAddress('compare', {}, { a: forked.run, b: run.id })}>compare the two</a>
        </p>
      )}
    </header>
  )
}

function Facts({ run }: { run: RunReply }) {
  const { id, state, started, usage, answer } = run
  const video = recordedVideo(run)
  return (
    <p class="facts">
      <StateChip of={jobAt(id) ? 'running' : shownRunState({ state, stop: answer?.stop })} />
      {video && (
        <a href={questionAddress(video, id)}>
          <Text of={video.name} />
        </a>
      )}
      <time dateTime={started}>{formatDate(started)}</time>
      {usage && <span>{formatSeconds(usage.seconds)}</span>}
      {usage && <span>{formatCount(usage.calls, 'model call')}</span>}
      {usage && <span>{formatCount(usage.inputTokens + usage.outputTokens, 'token')}</span>}
    </p>
  )
}

function Choices({ options }: { options: readonly string[] }) {
  return (
    <ol class="choices">
      {options.map((option, nr) => (
        <li key={nr}>
          <span class="dim">{nr + 1}.</span> <Text of={option} />
        </li>
      ))}
    </ol>
  )
}

// A run that has no answer says why, and what goes on with it.
function HowItEnded({ run, again }: { run: RunReply; again(): void }) {
  const failure = useSignal<Error | undefined>(undefined)
  const { id, state } = run
  if (jobAt(id)) return <p class="dim small">Running now; steps appear as they are made.</p>
  if (state === 'finished') return null
  const resume = () => {
    failure.value = undefined
    api('POST /runs/:run/resume', { params: { run: id } }).then(again, error => {
      failure.value = error
    })
  }
  return (
    <div class={`ended ${state}`}>
      <p>{findReason(run)}</p>
      <button type="button" class="primary" onClick={resume}>
        Resume
      </button>
      {failure.value && <ProblemNotice error={failure.value} />}
    </div>
  )
}

function findReason({ state, summary }: RunReply) {
  if (state === 'cancelled') return 'Cancelled. Resuming keeps finished calls.'
  if (state === 'unfinished')
    return 'Stopped before its end, or another program is running it now. Resuming keeps finished calls.'
  const { error } = (summary ?? {}) as { error?: unknown }
  const reason = typeof error === 'string' ? error : (error as { message?: string } | undefined)?.message
  return <Text of={`Failed: ${reason ?? 'no reason was recorded'}`} />
}

type Answered = NonNullable<RunReply['answer']>

// The checked answer: each sentence with the rows that it rests on, then what it could not know.
function RecordedAnswer({ of, run }: { of: Answered; run: string }) {
  const { answer, evidence, video, question, stop } = of
  const rows = new Map(evidence.map(row => [row.id, row]))
  const { sentences, abstained, confidence, degraded, unknown = [], choice, cause, mend } = answer
  return (
    <div class="answer">
      {choice !== undefined && (
        <p>
          <span class="dim">Chosen: </span>
          <Text of={`${choice + 1}. ${question.options?.[choice] ?? ''}`} />
        </p>
      )}
      <p>
        {sentences.length === 0 && <Text of={answer.text} />}
        {sentences.map(({ text, cites, verdict }, nr) => (
          <span class="sentence" key={nr}>
            <Text of={text} />
            {cites.map(id => {
              const row = rows.get(id)
              return row && <MomentLink key={id} video={video.id} span={row.span} row={id} run={run} />
            })}
            {cites.length > 0 && verdict !== 'supported' && <VerdictMark of={verdict} />}
          </span>
        ))}
      </p>
      <p class="facts">
        <span>
          {abstained ? (
            `Not answered${cause ? ` (${cause})` : ''}. ${mend ?? ''}`
          ) : (
            <>
              Confidence <b>{formatShare(confidence)}</b>
            </>
          )}
        </span>
        {stop !== 'answered' && <span>ended by the limit of {stop}</span>}
      </p>
      {[...degraded, ...unknown.map(part => `Not answered: ${part}`)].map(note => (
        <p class="dim small" key={note}>
          <Text of={note} />
        </p>
      ))}
    </div>
  )
}

// Other runs to set this one beside: at first those of the same question.
function CompareWith({ run: { id, name } }: { run: RunReply }) {
  const words = useSignal(name)
  const { loaded, again } = useLoad(signal => api('GET /runs', { query: { q: words.value || undefined }, signal }))
  const { value, error } = loaded.value
  const candidates = value?.runs.filter(other => other.id !== id && other.kind === 'question').slice(0, 20)
  return (
    <div class="panel compare-with">
      <label for="compare-words">Runs whose question has the words</label>
      <input
        id="compare-words"
        type="search"
        value={words.value}
        onInput={event => (words.value = event.currentTarget.value)}
      />
      {error && <ProblemNotice error={error} again={again} />}
      {candidates?.length === 0 && <p class="dim small">No other run has these words.</p>}
      <ul>
        {candidates?.map(other => (
          <li key={other.id}>
            <a href={pageAddress('compare', {}, { a: id, b: other.id })}>
              <Text of={other.name} />
            </a>
            <StateChip of={other.state} />
            <time class="dim small" dateTime={other.started}>
              {formatDate(other.started)}
            </time>
          </li>
        ))}
      </ul>
    </div>
  )
}
