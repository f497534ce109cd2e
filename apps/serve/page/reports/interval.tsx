import type { ReplyTo } from '../api.ts'

type TaskScore = ReplyTo<'GET /reports'>['reports'][number]['tasks'][number]

// A score with its 95 % interval on a scale from 0 to 100; the dashed line is what guessing gives.
export function ScoreBar({ of: { task, mean, low, high, chance }, href }: { of: TaskScore; href?: string }) {
  const at = (score: number) => `${Math.min(100, Math.max(0, score))}%`
  const label = `${task}: ${points(mean)}, interval ${points(low)} to ${points(high)}`
  const drawing = (
    <svg class="score-bar" role="img" aria-label={chance === null ? label : `${label}, chance ${points(chance)}`}>
      <line class="scale" x1="0" x2="100%" y1="12" y2="12" />
      {chance !== null && <line class="chance" x1={at(chance)} x2={at(chance)} y1="1" y2="23" />}
      <rect class="range" x={at(low)} y="8" width={at(high - low)} height="8" rx="4" />
      <circle class="mean" cx={at(mean)} cy="12" r="5" />
    </svg>
  )
  return href === undefined ? drawing : <a href={href}>{drawing}</a>
}

// The same in figures.
export function ScoreText({ of: { task, n, unscored, mean, low, high, chance, interval } }: { of: TaskScore }) {
  return (
    <span class="score-text">
      <span class="dim">{task}</span> <b>{points(mean)}</b>{' '}
      <span class="dim">
        {points(low)}–{points(high)}
        {interval === 'questions alone' && (
          <abbr title="Few videos: the interval counts only the questions, and is too narrow"> *</abbr>
        )}
        , n {n}
        {chance !== null && `, chance ${points(chance)}`}
        {unscored > 0 && `, ${unscored} not judged`}
      </span>
    </span>
  )
}

export function points(score: number): string {
  return score.toFixed(1)
}
