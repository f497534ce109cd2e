import { stageTitle } from '../../../../src/core/words/stage-title.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../parts/text.tsx'
import { type JobStage, leftText, paceOf } from './progress.ts'

const words: Record<string, string> = {
  waiting: 'waiting',
  running: '',
  done: 'done',
  reused: 'already done',
  failed: 'failed',
  skipped: 'not used',
}

// Each stage of an indexing as a bar in seconds of media.
export function StageTable({ stages }: { stages: readonly JobStage[] }) {
  return (
    <table class="stages">
      <caption class="hidden-text">Stages of the indexing</caption>
      <thead class="hidden-text">
        <tr>
          <th>Stage</th>
          <th>Done</th>
          <th>Seconds of media</th>
          <th>Speed</th>
          <th>Left</th>
        </tr>
      </thead>
      <tbody>
        {stages.map(stage => (
          <StageRow key={stage.stage} stage={stage} />
        ))}
      </tbody>
    </table>
  )
}

function StageRow({ stage }: { stage: JobStage }) {
  const { state, done = 0, total, note } = stage
  const over = state !== 'running' && state !== 'waiting'
  const pace = paceOf(stage)
  const share = over ? 1 : total ? Math.min(1, done / total) : 0
  return (
    <tr class={state}>
      <td>{stageTitle(stage.stage)}</td>
      <td class="bar">
        {state === 'skipped' ? (
          <Text of={note ?? ''} class="dim small" />
        ) : (
          <progress value={share} aria-label={stageTitle(stage.stage)} />
        )}
      </td>
      <td class="number">
        {state === 'running' && total !== undefined ? `${formatTime(done)} / ${formatTime(total)}` : words[state]}
      </td>
      <td class="number dim">{pace && `${pace.times < 10 ? pace.times.toFixed(1) : Math.round(pace.times)} ×`}</td>
      <td class="number dim">{pace?.left !== undefined && `${leftText(pace.left)} left`}</td>
    </tr>
  )
}
