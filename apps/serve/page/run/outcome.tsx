import type { Step } from '../../../../src/core/agent.ts'

const signs: Record<Step['outcome'], { sign: string; tone: string }> = {
  found: { sign: '✓', tone: 'good' },
  nothing: { sign: '○', tone: '' },
  repeated: { sign: '↻', tone: '' },
  refused: { sign: '⊘', tone: 'warn' },
  failed: { sign: '✕', tone: 'bad' },
}

// "✓ found 3": a sign and a word, whatever the colour.
export function OutcomeMark({ of, rows }: { of: Step['outcome']; rows: number }) {
  const { sign, tone } = signs[of]
  return (
    <span class={`outcome ${tone}`}>
      <span aria-hidden="true">{sign}</span> {of}
      {of === 'found' && rows > 0 && ` ${rows}`}
    </span>
  )
}

const verdicts = {
  supported: { sign: '✓', tone: 'good' },
  follows: { sign: '≈', tone: '' },
  contradicted: { sign: '✕', tone: 'bad' },
  unseen: { sign: '○', tone: 'warn' },
}

export function VerdictMark({ of }: { of: keyof typeof verdicts }) {
  const { sign, tone } = verdicts[of] ?? verdicts.unseen
  return (
    <span class={`outcome ${tone}`}>
      <span aria-hidden="true">{sign}</span> {of}
    </span>
  )
}
