import { type Signal, useComputed, useSignal } from '@preact/signals'
import type { Cause } from '../../../../src/core/agent.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api, type ReplyTo } from '../api.ts'
import { JobRows } from '../jobs/job-list.tsx'
import { formatDate, formatNumber, formatSeconds, formatShare } from '../parts/format.ts'
import { More } from '../parts/more.tsx'
import { usePages } from '../parts/pages.ts'
import { Empty } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { currentRoute, setQuery } from '../router.ts'
import { jobAt } from '../run/state.tsx'
import type { ViewProps } from '../view.ts'

type Entry = ReplyTo<'GET /runs'>['runs'][number]

const orders = { '': 'Newest', slowest: 'Slowest', dearest: 'Most tokens', unsure: 'Least confident' } as const
const states = { finished: 'Finished', unfinished: 'Not finished', cancelled: 'Cancelled', failed: 'Failed' } as const

export default function Runs(_: ViewProps) {
  const words = useComputed(() => currentRoute.value.query.get('q') ?? '')
  const state = useComputed(() => currentRoute.value.query.get('state') ?? '')
  const sort = useComputed(() => currentRoute.value.query.get('sort') ?? '')
  const chosen = useSignal<readonly string[]>([])
  const {
    items,
    state: reading,
    more,
  } = usePages(async (cursor, signal) => {
    const query = {
      q: words.value || undefined,
      state: state.value || undefined,
      sort: sort.value || undefined,
      cursor,
    }
    const page = await api('GET /runs', { query, signal })
    return { items: page.runs, cursor: page.cursor }
  })
  return (
    <div class="runs">
      <header class="list-head">
        <h1>Activity</h1>
        <label class="hidden-text" for="runs-words">
          Filter by the words of the question
        </label>
        <input
          id="runs-words"
          type="search"
          placeholder="Filter"
          value={words.value}
          onInput={event => setQuery({ q: event.currentTarget.value || undefined })}
        />
        <label class="hidden-text" for="runs-state">
          State
        </label>
        <select
          id="runs-state"
          value={state.value}
          onChange={event => setQuery({ state: event.currentTarget.value || undefined })}
        >
          <option value="">Any state</option>
          {Object.entries(states).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        <label class="hidden-text" for="runs-sort">
          Order
        </label>
        <select
          id="runs-sort"
          value={sort.value}
          onChange={event => setQuery({ sort: event.currentTarget.value || undefined })}
        >
          {Object.entries(orders).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        <Chosen runs={chosen.value} />
      </header>
      <JobRows />
      {items.value.length === 0 && reading.value === 'all' ? (
        <NoRuns filtered={words.value !== '' || state.value !== ''} />
      ) : (
        <div class="panel">
          <div class="run-heads small dim" aria-hidden="true">
            <span />
            <span>Question and answer</span>
            <span class="about">Video</span>
            <span>Outcome</span>
            <span class="profile">Profile</span>
            <span class="number">Steps</span>
            <span class="number">Tokens</span>
            <span class="number">Took</span>
            <span class="number">When</span>
          </div>
          <ol class="run-list">
            {items.value.map(run => (
              <Row key={run.id} run={run} chosen={chosen} />
            ))}
          </ol>
        </div>
      )}
      <More state={reading.value} more={more} />
    </div>
  )
}

// Its parts are signals: of a thousand rows only those that change are drawn again.
function Row({ run, chosen }: { run: Entry; chosen: Signal<readonly string[]> }) {
  const { id, name, kind, video, started, usage, profile, outcome } = run
  const isQuestion = kind === 'question'
  const isChosen = useComputed(() => chosen.value.includes(id))
  const isRunning = useComputed(() => jobAt(id) !== undefined)
  return (
    <li>
      {isQuestion ? (
        <label class="choose">
          <input type="checkbox" checked={isChosen} onChange={() => choose(chosen, id)} />
          <span class="hidden-text">Compare: {name}</span>
        </label>
      ) : (
        <span />
      )}
      <span class="name">
        <a href={isQuestion ? pageAddress('run', { run: id }) : pageAddress('report', { report: id })}>
          <Text of={name} />
        </a>
        {outcome && <Text class="answer dim small" of={outcome.text} />}
      </span>
      <span class="about dim">
        {video ? <Text of={video.name} /> : isQuestion ? '' : kind === 'ablate' ? 'ablation' : 'benchmark'}
      </span>
      <span class="state">
        <OutcomeChip run={run} isRunning={isRunning.value} />
      </span>
      <span class="profile dim small">{profile}</span>
      <span class="number">{outcome?.steps}</span>
      <span class="number took">{formatTokens(usage)}</span>
      <span class="number took">{usage ? formatSeconds(usage.seconds) : ''}</span>
      <time class="number when dim" dateTime={started}>
        {formatDate(started)}
      </time>
    </li>
  )
}

// What a question came to: an answer with its confidence, or why there is none.
function OutcomeChip({ run: { state, outcome }, isRunning }: { run: Entry; isRunning: boolean }) {
  if (isRunning) return <StateChip of="running" />
  if (state !== 'finished' || !outcome) return <StateChip of={state} />
  if (outcome.abstained) return <span class="chip warn">{causes[outcome.cause ?? 'absent']}</span>
  return <span class="chip good">answered {formatShare(outcome.confidence)}</span>
}

const causes: Record<Cause, string> = {
  absent: 'not in the video',
  'not-looked': 'could not look',
  unreadable: 'unreadable',
  'not-understood': 'not understood',
  budget: 'stopped at a limit',
}

// None where no language model was asked.
function formatTokens(usage: Entry['usage']): string {
  const tokens = usage ? usage.inputTokens + usage.outputTokens : 0
  return tokens === 0 ? '' : formatNumber(tokens)
}

// Two at most: a third takes the place of the first.
function choose(chosen: Signal<readonly string[]>, run: string): void {
  const otherRuns = chosen.value.filter(one => one !== run)
  chosen.value = otherRuns.length < chosen.value.length ? otherRuns : [...otherRuns, run].slice(-2)
}

function Chosen({ runs: [a, b] }: { runs: readonly string[] }) {
  return (
    <p class="chosen" role="status">
      {a === undefined && <span class="dim small">Choose two runs to compare them</span>}
      {a !== undefined && b === undefined && <span class="dim small">1 chosen, choose another one</span>}
      {a !== undefined && b !== undefined && (
        <a class="button primary" href={pageAddress('compare', {}, { a, b })}>
          Compare the two
        </a>
      )}
    </p>
  )
}

function NoRuns({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <Empty title="No run matches">
        <button type="button" onClick={() => setQuery({ q: undefined, state: undefined })}>
          Show all
        </button>
      </Empty>
    )
  return (
    <Empty title="Nothing has been asked yet">
      <p>
        Open a video in the <a href="/">library</a> and ask about it, or use <code>longtake ask</code>.
      </p>
    </Empty>
  )
}
