import { useSignal, useSignalEffect } from '@preact/signals'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { liveJobs } from '../live.ts'
import { useLoad } from '../load.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { go } from '../router.ts'
import type { RunReply } from './types.ts'

// Another run that goes on from a round of this one, with other settings. What came before is taken over as it was recorded.
export function Fork({ run: { id, rounds, config } }: { run: RunReply }) {
  const flat = flatSettings(config)
  const changes = useSignal<readonly Change[]>([{ name: '', value: '' }])
  const round = useSignal(rounds.at(-1)?.round ?? 0)
  const job = useSignal<string | undefined>(undefined)
  const failure = useSignal<Error | undefined>(undefined)
  const begin = (event: SubmitEvent) => {
    event.preventDefault()
    failure.value = undefined
    const named = changes.value.filter(({ name }) => name.trim() !== '')
    const settings = Object.fromEntries(named.map(({ name, value }) => [name.trim(), value.trim()]))
    api('POST /runs/:run/fork', { params: { run: id }, body: { round: round.value, settings } }).then(
      begun => {
        job.value = begun.job
      },
      error => {
        failure.value = error
      },
    )
  }
  const change = (at: number, part: Partial<Change>) => {
    changes.value = changes.value.map((one, nr) => (nr === at ? { ...one, ...part } : one))
  }
  return (
    <form class="panel fork" onSubmit={begin}>
      <p>
        <label for="fork-round">Resume from</label>
        <select
          id="fork-round"
          value={round.value}
          onChange={event => (round.value = Number(event.currentTarget.value))}
        >
          {rounds.map(one => (
            <option key={one.round} value={one.round}>
              {one.round === 0 ? 'the beginning' : `the end of round ${one.round}`}
            </option>
          ))}
        </select>
      </p>
      <datalist id="fork-settings">
        {[...flat.keys()].filter(mayChange).map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {changes.value.map((one, at) => (
        <ChangeLine key={at} {...one} at={at} now={flat.get(one.name)} change={part => change(at, part)} />
      ))}
      <p class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => (changes.value = [...changes.value, { name: '', value: '' }])}
        >
          Another setting
        </button>
        <button type="submit" class="primary" disabled={job.value !== undefined && failure.value === undefined}>
          Start the fork
        </button>
      </p>
      {failure.value && <ProblemNotice error={failure.value} />}
      {job.value !== undefined && <Begun job={job.value} failed={() => (job.value = undefined)} />}
    </form>
  )
}

// What lies ahead of a fork; the server says what it does not take.
function mayChange(name: string): boolean {
  return /^(policy|budget|models)\./.test(name)
}

interface Change {
  name: string
  value: string
}

interface ChangeLineProps extends Change {
  at: number
  now: unknown
  change(part: Partial<Change>): void
}

function ChangeLine({ name, value, at, now, change }: ChangeLineProps) {
  return (
    <p class="change">
      <label class="hidden-text" for={`fork-name-${at}`}>
        Setting
      </label>
      <input
        id={`fork-name-${at}`}
        list="fork-settings"
        placeholder="policy.verifier"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onInput={event => change({ name: event.currentTarget.value })}
      />
      <label class="hidden-text" for={`fork-value-${at}`}>
        Value
      </label>
      <input
        id={`fork-value-${at}`}
        placeholder="value"
        autocomplete="off"
        value={value}
        onInput={event => change({ value: event.currentTarget.value })}
      />
      {now !== undefined && (
        <span class="dim small">
          now <Text of={JSON.stringify(now)} />
        </span>
      )}
    </p>
  )
}

// Waits until the fork has its run, then shows it.
function Begun({ job, failed }: { job: string; failed(): void }) {
  const { loaded } = useLoad(signal => api('GET /jobs/:job', { params: { job }, signal }))
  const now = liveJobs.value.get(job) ?? loaded.value.value
  useSignalEffect(() => {
    const run = liveJobs.value.get(job)?.run
    if (run !== undefined) go(pageAddress('run', { run }))
  })
  if (now?.run === undefined && now && isOver(now.state))
    return (
      <div role="alert" class="problem">
        <p>
          <Text of={now.error?.message ?? 'The fork was stopped before it started.'} />
        </p>
        <button type="button" onClick={failed}>
          Change it
        </button>
      </div>
    )
  return (
    <p class="dim small" role="status">
      {now?.state === 'waiting' ? 'Waiting for its turn…' : 'Starting…'}
    </p>
  )
}

// "policy.verifier": true - every setting with its value, by its dotted name.
function flatSettings(settings: unknown, before = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [name, value] of Object.entries(settings ?? {})) {
    const dotted = before === '' ? name : `${before}.${name}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, held] of flatSettings(value, dotted)) flat.set(inner, held)
    else flat.set(dotted, value)
  }
  return flat
}
