import { stageStateTitle, stageTitle } from '../../../../src/core/words/stage-title.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { computeTimeLeft, doneShare, leftText } from '../jobs/progress.ts'
import { formatShare } from '../parts/format.ts'
import type { StageView } from './conversation.ts'

// One bar, one time; the stages for who wants them.
export function IndexProgress({ stages, label = 'Indexing' }: { stages: readonly StageView[]; label?: string }) {
  if (stages.length === 0) return <p class="dim small">Indexing starts…</p>
  const share = doneShare(stages)
  const secondsLeft = computeTimeLeft({ stages })
  const now = [...new Set(stages.filter(({ state }) => state === 'running').map(({ stage }) => stageTitle(stage)))]
  return (
    <div class="index-progress">
      <p class="index-total">
        <progress value={share} aria-label={label} />
        <b class="number">{formatShare(share)}</b>
        <span class="dim small number">{secondsLeft !== undefined && `about ${leftText(secondsLeft)} left`}</span>
      </p>
      <details class="small">
        <summary class="dim">{now.length > 0 ? `${now.join(', ')}…` : 'Details'}</summary>
        <StageList stages={stages} />
      </details>
    </div>
  )
}

// How far an indexing is, in seconds of the video.
function StageList({ stages }: { stages: readonly StageView[] }) {
  return (
    <ul class="stage-list">
      {stages.map(({ stage, state, done, total, note }) => (
        <li key={stage} class={state}>
          <span>{stageTitle(stage)}</span>
          {state === 'running' ? (
            <progress max={total ?? 1} value={total ? (done ?? 0) : undefined} aria-label={stageTitle(stage)} />
          ) : (
            <span class="dim">{stageStateTitle(state)}</span>
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
