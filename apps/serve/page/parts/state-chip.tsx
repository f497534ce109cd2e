import type { ComponentChildren } from 'preact'

type Tone = 'good' | 'warn' | 'bad' | 'going' | ''

// Shape and word of every state of a video, a job and a run: the colour is never the only sign.
export const states = {
  ready: { sign: '✓', word: 'ready', tone: 'good' },
  partial: { sign: '◐', word: 'partial', tone: 'warn' },
  unindexed: { sign: '○', word: 'not indexed', tone: '' },
  indexing: { sign: '▸', word: 'indexing', tone: '' },
  changed: { sign: '≠', word: 'changed', tone: 'warn' },
  gone: { sign: '✕', word: 'file missing', tone: 'bad' },
  waiting: { sign: '○', word: 'waiting', tone: '' },
  running: { sign: '●', word: 'running', tone: 'going' },
  done: { sign: '✓', word: 'done', tone: 'good' },
  finished: { sign: '✓', word: 'finished', tone: 'good' },
  unfinished: { sign: '◐', word: 'not finished', tone: 'warn' },
  interrupted: { sign: '‖', word: 'interrupted', tone: 'warn' },
  limited: { sign: '◔', word: 'stopped at a limit', tone: 'warn' },
  cancelled: { sign: '■', word: 'cancelled', tone: '' },
  failed: { sign: '✕', word: 'failed', tone: 'bad' },
} as const satisfies Record<string, { sign: string; word: string; tone: Tone }>

export type ShownState = keyof typeof states

// `children`: other words than those of the state. `title`: why it is so.
export function StateChip({ of, title, children }: { of: ShownState; title?: string; children?: ComponentChildren }) {
  const { sign, word, tone } = states[of]
  return (
    <span class={`chip ${tone}`} title={title}>
      <span aria-hidden="true">{sign}</span> {children ?? word}
    </span>
  )
}
