import type { Job } from '../../../../src/core/api/job.ts'
import type { LookState, VideoEntry } from '../../../../src/core/api/video.ts'
import { Text } from '../../../../src/page/text.tsx'
import { doneShare } from '../jobs/progress.ts'
import { runningJobs } from '../live.ts'
import { formatShare } from '../parts/format.ts'
import { type ShownState, StateChip } from '../parts/state-chip.tsx'

export const videoStates: readonly VideoEntry['state'][] = [
  ...(['ready', 'partial', 'waiting', 'indexing', 'changed', 'gone'] as const),
]

// A job waiting, a video for its index.
export function shownState(state: VideoEntry['state']): ShownState {
  return state === 'waiting' ? 'unindexed' : state
}

// The job that indexes it, or is going to.
export function findIndexJob(id: string): Job | undefined {
  return runningJobs().find(({ kind, video, stages, run }) => {
    if (video.id !== id) return false
    return kind === 'index' || (stages.length > 0 && run === undefined)
  })
}

export function StateLine({ video }: { video: VideoEntry }) {
  const job = findIndexJob(video.id)
  if (job?.state === 'running') {
    const doneStages = doneShare(job.stages)
    return (
      <p class="state">
        <progress value={doneStages} aria-label={`Indexing ${video.name}`} /> <span>{formatShare(doneStages)}</span>
      </p>
    )
  }
  if (!job && video.state === 'ready') return null
  return (
    <p class="state">
      {job ? <StateChip of="waiting">waiting</StateChip> : <StateChip of={shownState(video.state)} />}
      {!job && video.looked && missingTracks(video.looked) !== '' && (
        <span class="why">{missingTracks(video.looked)}</span>
      )}
      {!job && video.why !== undefined && video.state !== 'waiting' && <Text of={video.why} class="why" />}
    </p>
  )
}

// In words, what is missing of its index; nothing if all is well.
function missingTracks(looked: LookState): string {
  return (['picture', 'speech', 'text', 'sound'] as const)
    .filter(track => looked[track] === 'failed' || looked[track] === 'partial')
    .map(track => `${track} ${looked[track] === 'failed' ? 'failed' : 'in part'}`)
    .join(', ')
}
