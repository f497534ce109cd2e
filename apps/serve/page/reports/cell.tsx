import type { Cell } from './types.ts'

const marks: Record<Cell['state'], { sign: string; tone: string }> = {
  right: { sign: '✓', tone: 'good' },
  wrong: { sign: '✕', tone: 'bad' },
  error: { sign: '!', tone: 'warn' },
  'not judged': { sign: '○', tone: '' },
}

// A sign and a word, whatever the colour.
export function CellMark({ state }: { state: Cell['state'] }) {
  const { sign, tone } = marks[state]
  return (
    <span class={`outcome ${tone}`}>
      <span aria-hidden="true">{sign}</span> {state}
    </span>
  )
}
