import { useComputed, useSignal } from '@preact/signals'
import type { AgentState, Votes } from '../../../../src/core/agent.ts'
import { safeJson } from '../../../../src/core/words/visible-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatCount, formatSeconds, formatShare } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { VerdictMark } from './outcome.tsx'
import { EvidenceLine } from './row-line.tsx'
import type { RecordedStep } from './types.ts'

interface KnowledgeProps {
  run: string
  video: string | undefined
  step: RecordedStep
  cited: ReadonlySet<string> // by the answer
}

// What the run knew after a step: the state as it was recorded.
export function Knowledge({ run, video, step, cited }: KnowledgeProps) {
  return (
    <section class="panel knowledge" aria-labelledby="knowledge-title">
      <h2 id="knowledge-title">State after this step</h2>
      {step.state === undefined ? (
        <p class="dim">
          {step.seconds === undefined
            ? 'This step has not ended, and no state was recorded after it.'
            : 'No state was recorded after this step.'}
        </p>
      ) : (
        <State {...{ run, video, state: step.state, fresh: step.fresh, cited }} />
      )}
    </section>
  )
}

interface StateProps {
  run: string
  video: string | undefined
  state: number
  fresh: readonly string[]
  cited: ReadonlySet<string>
}

function State({ run, video, state, fresh, cited }: StateProps) {
  const shownState = useSignal(state)
  shownState.value = state
  const { loaded, again } = useLoad(signal =>
    api('GET /runs/:run/states/:state', { params: { run, state: String(shownState.value) }, signal }),
  )
  const { value, error } = loaded.value
  const text = useComputed(() => safeJson(loaded.value.value?.values ?? {}, 1))
  const open = useSignal(false)
  if (error) return <ProblemNotice error={error} again={again} />
  if (!value) return <p class="dim">Loading…</p>
  const knowledge = value.values as Partial<AgentState> // other graphs may hold less
  return (
    <div class="known" aria-busy={value.state !== state} data-state={value.state}>
      <Spent of={knowledge.spent} />
      <Ledger rows={knowledge.evidence ?? []} {...{ fresh, cited, video, run }} />
      <Verdicts of={knowledge.verdicts ?? []} />
      {knowledge.draft && <Draft of={knowledge.draft} />}
      <Options of={knowledge.weighed} />
      <VotesOf of={knowledge.weighed?.votes} />
      <details open={open.value} onToggle={event => (open.value = event.currentTarget.open)}>
        <summary>The state as recorded</summary>
        {open.value && <pre class="raw">{text.value}</pre>}
      </details>
    </div>
  )
}

function Spent({ of: spent }: { of: AgentState['spent'] | undefined }) {
  if (!spent) return null
  const { calls, inputTokens, outputTokens, frames, seconds, money } = spent
  return (
    <p class="facts">
      <span>{formatCount(calls, 'call')}</span>
      <span>{formatCount(inputTokens + outputTokens, 'token')}</span>
      <span>{formatCount(frames, 'frame')}</span>
      <span>{formatSeconds(seconds)}</span>
      {money > 0 && <span>{money.toFixed(4)} spent</span>}
    </p>
  )
}

const shownAtFirst = 100

interface LedgerProps {
  rows: AgentState['evidence']
  fresh: readonly string[]
  cited: ReadonlySet<string>
  video: string | undefined
  run: string
}

// What this step has found comes first, then the rest in the order in which it was found, the last first. Old silence is folded.
function Ledger({ rows, fresh, cited, video, run }: LedgerProps) {
  const all = useSignal(false)
  const isNew = new Set(fresh)
  const ordered = [...rows.filter(({ id }) => isNew.has(id)), ...rows.filter(({ id }) => !isNew.has(id)).reverse()]
  const isShown = ({ id, track, text }: (typeof rows)[number]) =>
    isNew.has(id) || cited.has(id) || track !== 'sound' || !/^silence\b/i.test(text)
  const visibleRows = all.value ? ordered : ordered.filter(isShown).slice(0, shownAtFirst)
  return (
    <>
      <h3>
        Ledger <span class="dim">{formatCount(rows.length, 'row')}</span>
        {isNew.size > 0 && <span class="chip good">+{isNew.size} new</span>}
      </h3>
      <ol class="row-list">
        {visibleRows.map(row => (
          <EvidenceLine key={row.id} {...{ row, video, run }} isNew={isNew.has(row.id)} isCited={cited.has(row.id)} />
        ))}
      </ol>
      {visibleRows.length < ordered.length && (
        <button type="button" class="quiet" onClick={() => (all.value = true)}>
          Show all {ordered.length}
        </button>
      )}
    </>
  )
}

function Verdicts({ of: verdicts }: { of: AgentState['verdicts'] }) {
  if (verdicts.length === 0) return null
  return (
    <>
      <h3>Verdicts</h3>
      <ul class="verdicts">
        {verdicts.map(({ sentence, verdict, reason }, nr) => (
          <li key={nr}>
            <VerdictMark of={verdict} />
            <Text of={sentence} />
            <Text class="dim small" of={reason} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Draft({ of: draft }: { of: NonNullable<AgentState['draft']> }) {
  return (
    <>
      <h3>Draft</h3>
      <p class="draft">
        {draft.map(({ text }, nr) => (
          <Text key={nr} of={`${text} `} />
        ))}
      </p>
    </>
  )
}

// What the policies weighed: the parts of the question, each option.
function Options({ of: weighed }: { of: AgentState['weighed'] }) {
  const { aspects = [], options = [] } = weighed ?? {}
  if (aspects.length + options.length === 0) return null
  return (
    <>
      <h3>Weighed</h3>
      <ul class="verdicts">
        {aspects.map(aspect => (
          <li key={aspect}>
            <span class="dim">part</span>
            <Text of={aspect} />
          </li>
        ))}
        {options.map(({ option, clue, verdict, reason }) => (
          <li key={option}>
            <VerdictMark of={verdict} />
            <Text of={`Option ${option + 1}: ${clue}`} />
            <Text class="dim small" of={reason} />
          </li>
        ))}
      </ul>
    </>
  )
}

// The runs that answered an unsure question, the first of them as it was.
function VotesOf({ of: votes }: { of: Votes | undefined }) {
  if (!votes) return null
  const { runs, outcome = 'running', taken, reason } = votes
  return (
    <>
      <h3>
        Votes <span class="dim">{outcome}</span>
      </h3>
      <ul class="verdicts">
        {runs.map(({ plan, text, confidence, abstained }, at) => (
          <li key={plan}>
            <span class={at === taken ? 'chip good' : 'dim'}>{at === taken ? 'taken' : `run ${at + 1}`}</span>
            <Text of={text} />
            <span class="dim small">
              {plan}, {abstained ? 'says that the video does not answer' : `confidence ${formatShare(confidence)}`}
            </span>
          </li>
        ))}
      </ul>
      {reason !== undefined && <Text class="dim small" of={reason} />}
    </>
  )
}
