import { useSignal } from '@preact/signals'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatDate } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { Text } from '../parts/text.tsx'
import type { RunReply } from './types.ts'

// Other runs to set this one beside: at first those of the same question.
export function CompareWith({ run: { id, name } }: { run: RunReply }) {
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
