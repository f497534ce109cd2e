import type { AskRecord } from '../runner/line.ts'

// Where two traces of one question part: the first step that is not the same call with the same result.
export interface Parting {
  at: number // place of that step, from 0; the number of steps where all are alike
  how: 'other call' | 'other result' | 'one goes on' | 'same steps' // same steps: they part in the answer
}

type Trace = Pick<AskRecord, 'steps'>

export function partingOf(base: Trace, row: Trace): Parting {
  const most = Math.min(base.steps.length, row.steps.length)
  for (let at = 0; at < most; at++) {
    const [a, b] = [base.steps[at], row.steps[at]]
    if (a.tool !== b.tool || JSON.stringify(a.input) !== JSON.stringify(b.input)) return { at, how: 'other call' }
    if (a.outcome !== b.outcome || a.evidence.join() !== b.evidence.join()) return { at, how: 'other result' }
  }
  return { at: most, how: base.steps.length === row.steps.length ? 'same steps' : 'one goes on' }
}
