import type { Job } from '../../core/api/job.ts'
import { underWay } from '../live.ts'

export type RunState = 'finished' | 'cancelled' | 'failed' | 'unfinished' | 'going' | 'limited'

// Each state has a sign and a word, besides its colour.
const shown: Record<RunState, { sign: string; word: string; tone: string }> = {
  finished: { sign: '✓', word: 'finished', tone: 'good' },
  cancelled: { sign: '■', word: 'cancelled', tone: '' },
  failed: { sign: '✕', word: 'failed', tone: 'bad' },
  unfinished: { sign: '◐', word: 'not finished', tone: 'warn' },
  limited: { sign: '◔', word: 'ended by a limit', tone: 'warn' },
  going: { sign: '●', word: 'under way', tone: 'going' },
}

export function StateChip({ state }: { state: RunState }) {
  const { sign, word, tone } = shown[state]
  return (
    <span class={`chip ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      {word}
    </span>
  )
}

// A run that a limit has ended has an answer as well.
export function stateOf({ state, stop }: { state: RunState; stop?: string | undefined }): RunState {
  return state === 'finished' && stop !== undefined && stop !== 'answered' ? 'limited' : state
}

// The job of this server that is at a run now.
export function jobAt(run: string): Job | undefined {
  return underWay().find(job => job.run === run)
}
