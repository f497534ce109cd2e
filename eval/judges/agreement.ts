import { cohensKappa } from '../metrics/kappa.ts'
import type { TaskGrade } from '../runner/line.ts'

export interface Agreement {
  n: number // answers that both judged
  agreed: number
  share: number | null
  kappa: number | null // of right (0.5 and more) against wrong
  difference: number | null // mean of the second's score minus the first's
  disputed: { id: string; first: number; second: number }[]
  unjudged: number // answers that one of them left without a verdict
}

// Two judges over the same answers, side by side.
export function agreementOf(pairs: readonly { id: string; first: TaskGrade; second: TaskGrade }[]): Agreement {
  const judged = pairs.flatMap(({ id, first, second }) =>
    first.score === null || second.score === null ? [] : [{ id, first: first.score, second: second.score }],
  )
  const right = (score: number) => score >= 0.5
  const disputed = judged.filter(pair => right(pair.first) !== right(pair.second))
  const n = judged.length
  return {
    n,
    agreed: n - disputed.length,
    share: n === 0 ? null : (n - disputed.length) / n,
    kappa: cohensKappa(
      judged.map(pair => right(pair.first)),
      judged.map(pair => right(pair.second)),
    ),
    difference: n === 0 ? null : judged.reduce((sum, pair) => sum + pair.second - pair.first, 0) / n,
    disputed,
    unjudged: pairs.length - n,
  }
}
