import { stageTitle } from '../../../../src/core/words/stage-title.ts'
import { doneShare, leftOf, leftText } from '../jobs/progress.ts'
import { formatShare } from '../parts/format.ts'
import type { StageView } from './conversation.ts'
import { StageList } from './stages.tsx'

// One bar, one time; the stages for who wants them.
export function IndexProgress({ stages, label = 'Indexing' }: { stages: readonly StageView[]; label?: string }) {
  if (stages.length === 0) return <p class="dim small">Indexing starts…</p>
  const share = doneShare(stages)
  const left = leftOf({ stages })
  const now = [...new Set(stages.filter(({ state }) => state === 'running').map(({ stage }) => stageTitle(stage)))]
  return (
    <div class="index-progress">
      <p class="index-total">
        <progress value={share} aria-label={label} />
        <b class="number">{formatShare(share)}</b>
        <span class="dim small number">{left !== undefined && `about ${leftText(left)} left`}</span>
      </p>
      <details class="small">
        <summary class="dim">{now.length > 0 ? `${now.join(', ')}…` : 'Details'}</summary>
        <StageList stages={stages} />
      </details>
    </div>
  )
}
