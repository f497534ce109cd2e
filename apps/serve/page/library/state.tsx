import type { Job } from '../../../../src/core/api/job.ts'
import type { LookState, VideoEntry } from '../../../../src/core/api/video.ts'
import { runningJobs } from '../live.ts'
import { formatShare } from '../parts/format.ts'
import { type ShownState, StateChip } from '../parts/state-chip.tsx'
import { Text } from '../parts/text.tsx'

export const videoStates: readonly VideoEntry['state'][] = [
  ...(['ready', 'partial', 'waiting', 'indexing', 'changed', 'gone'] as const),
]

// A job waits for its turn, a video for its index.
export function shownState(state: VideoEntry['state']): ShownState {
  return state === 'waiting' ? 'unindexed' : state
}

// The job that indexes it, or is going to.
export function findIndexing(id: string): Job | undefined {
  return runningJobs().find(({ kind, video, stages, run }) => {
    if (video.id !== id) return false
    return kind === 'index' || (stages.length > 0 && run === undefined)
  })
}

// How far an indexing is, each of its stages counting the same.
function shareDone({ stages }: Pick<Job, 'stages'>): number {
  const parts = stages.map(({ state, done = 0, total }) =>
    state === 'waiting' ? 0 : state !== 'running' ? 1 : total ? Math.min(1, done / total) : 0,
  )
  return parts.length === 0 ? 0 : parts.reduce((sum, part) => sum + part, 0) / parts.length
}

export function StateLine({ video }: { video: VideoEntry }) {
  const job = findIndexing(video.id)
  if (job?.state === 'running') {
    const doneStages = shareDone(job)
    return (
      <p class="state">
        <progress value={doneStages} aria-label={`Indexing ${video.name}`} /> <span>{formatShare(doneStages)}</span>
      </p>
    )
  }
  return (
    <p class="state">
      {job ? <StateChip of="waiting">waits for its turn</StateChip> : <StateChip of={shownState(video.state)} />}
      {!job && video.why !== undefined && video.state !== 'waiting' && <Text of={video.why} class="why" />}
    </p>
  )
}

export const trackMarks: [track: keyof LookState, letter: string, word: string][] = [
  ['picture', 'p', 'picture'],
  ['speech', 's', 'speech'],
  ['text', 't', 'text'],
  ['sound', '♪', 'sound'],
]

// Which tracks were looked at.
export function Marks({ looked }: { looked: LookState }) {
  const label = trackMarks.map(([track, , word]) => `${word} ${looked[track]}`).join(', ')
  return (
    <p class="marks" role="img" aria-label={label} title={label}>
      {trackMarks.map(([track, letter]) => (
        <span key={track} class={`mark ${track} ${looked[track]}`}>
          {letter}
        </span>
      ))}
    </p>
  )
}
