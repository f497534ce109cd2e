import type { Job } from '../../core/api/job.ts'
import { underWay } from '../live.ts'

export type RunState = 'finished' | 'cancelled' | 'failed' | 'unfinished' | 'going'

// Each state has a sign and a word, besides its colour.
const shown: Record<RunState, { sign: string; word: string; tone: string }> = {
  finished: { sign: '✓', word: 'finished', tone: 'good' },
  cancelled: { sign: '■', word: 'cancelled', tone: '' },
  failed: { sign: '✕', word: 'failed', tone: 'bad' },
  unfinished: { sign: '◐', word: 'not finished', tone: 'warn' },
  going: { sign: '●', word: 'under way', tone: 'going' },
}

export function StateChip({ state, word }: { state: RunState; word?: string }) {
  const { sign, word: usual, tone } = shown[state]
  return (
    <span class={`chip ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      {word ?? usual}
    </span>
  )
}

// The job of this server that is at a run now.
export function jobAt(run: string): Job | undefined {
  return underWay().find(job => job.run === run)
}
