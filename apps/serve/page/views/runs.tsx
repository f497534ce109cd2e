import { type Signal, useComputed, useSignal } from '@preact/signals'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { api, type ReplyTo } from '../api.ts'
import { formatCount, formatDate, formatSeconds } from '../parts/format.ts'
import { More } from '../parts/more.tsx'
import { usePages } from '../parts/pages.ts'
import { Empty } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { Text } from '../parts/text.tsx'
import { currentRoute, setQuery } from '../router.ts'
import { jobAt } from '../run/state.tsx'
import type { ViewProps } from '../view.ts'

type Entry = ReplyTo<'GET /runs'>['runs'][number]

const states = { finished: 'Finished', unfinished: 'Not finished', cancelled: 'Cancelled', failed: 'Failed' } as const

export default function Runs(_: ViewProps) {
  const words = useComputed(() => currentRoute.value.query.get('q') ?? '')
  const state = useComputed(() => currentRoute.value.query.get('state') ?? '')
  const chosen = useSignal<readonly string[]>([])
  const {
    items,
    state: reading,
    more,
  } = usePages(async (cursor, signal) => {
    const query = { q: words.value || undefined, state: state.value || undefined, cursor }
    const page = await api('GET /runs', { query, signal })
    return { items: page.runs, cursor: page.cursor }
  })
  return (
    <div class="runs">
      <header class="list-head">
        <h1>Runs</h1>
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
        <Chosen runs={chosen.value} />
      </header>
      {items.value.length === 0 && reading.value === 'all' ? (
        <NoRuns filtered={words.value !== '' || state.value !== ''} />
      ) : (
        <ol class="panel run-list">
          {items.value.map(run => (
            <Row key={run.id} run={run} chosen={chosen} />
          ))}
        </ol>
      )}
      <More state={reading.value} more={more} />
    </div>
  )
}

// Its parts are signals: of a thousand rows those alone are drawn again that change.
function Row({ run, chosen }: { run: Entry; chosen: Signal<readonly string[]> }) {
  const { id, name, kind, video, state, started, usage } = run
  const isQuestion = kind === 'question'
  const isChosen = useComputed(() => chosen.value.includes(id))
  const going = useComputed(() => jobAt(id) !== undefined)
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
      <a class="name" href={isQuestion ? pageAddress('run', { run: id }) : pageAddress('report', { report: id })}>
        <Text of={name} />
      </a>
      <span class="about dim">
        {video ? <Text of={video.name} /> : isQuestion ? '' : kind === 'ablate' ? 'ablation' : 'benchmark'}
      </span>
      <span class="state">
        <StateChip of={going.value ? 'running' : state} />
      </span>
      <span class="number took">{usage ? formatSeconds(usage.seconds) : ''}</span>
      <span class="number took">{formatTokens(usage)}</span>
      <time class="number when dim" dateTime={started}>
        {formatDate(started)}
      </time>
    </li>
  )
}

// None where no language model was asked.
function formatTokens(usage: Entry['usage']): string {
  const tokens = usage ? usage.inputTokens + usage.outputTokens : 0
  return tokens === 0 ? '' : formatCount(tokens, 'token')
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
      <Empty title="No run fits">
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
