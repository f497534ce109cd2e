import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../parts/text.tsx'
import type { StageView } from './conversation.ts'

const words: Record<string, string> = {
  done: 'done',
  reused: 'there already',
  failed: 'failed',
  skipped: 'left out',
  waiting: '',
}

// How far an indexing is, in seconds of the video.
export function StageList({ stages }: { stages: readonly StageView[] }) {
  if (stages.length === 0) return <p class="dim small">The index is about to be made…</p>
  return (
    <ul class="stage-list">
      {stages.map(({ stage, state, done, total, note }) => (
        <li key={stage} class={state}>
          <span>{stage}</span>
          {state === 'running' ? (
            <progress max={total ?? 1} value={total ? (done ?? 0) : undefined} aria-label={stage} />
          ) : (
            <span class="dim">{words[state] ?? state}</span>
          )}
          <span class="number dim">
            {state === 'running' && total !== undefined && `${formatTime(done ?? 0)} / ${formatTime(total)}`}
          </span>
          {note !== undefined && (state === 'failed' || state === 'skipped') && (
            <Text class="stage-note dim" of={note} />
          )}
        </li>
      ))}
    </ul>
  )
}
