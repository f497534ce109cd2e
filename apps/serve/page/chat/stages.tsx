import { stageTitle } from '../../../../src/core/words/stage-title.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../parts/text.tsx'
import type { StageView } from './conversation.ts'

const words: Record<string, string> = {
  done: 'done',
  reused: 'already done',
  failed: 'failed',
  skipped: 'not used',
  waiting: '',
}

// How far an indexing is, in seconds of the video.
export function StageList({ stages }: { stages: readonly StageView[] }) {
  return (
    <ul class="stage-list">
      {stages.map(({ stage, state, done, total, note }) => (
        <li key={stage} class={state}>
          <span>{stageTitle(stage)}</span>
          {state === 'running' ? (
            <progress max={total ?? 1} value={total ? (done ?? 0) : undefined} aria-label={stageTitle(stage)} />
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
