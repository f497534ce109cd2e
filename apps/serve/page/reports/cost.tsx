import type { ReplyTo } from '../api.ts'
import { formatNumber, formatSeconds } from '../parts/format.ts'

// What a question took on average.
export function CostCell({ of }: { of: ReplyTo<'GET /reports'>['reports'][number]['cost'] }) {
  if (of.questions === 0) return <span class="dim">-</span>
  const { seconds, calls, tokens, money } = of
  return (
    <span class="cost">
      {formatSeconds(seconds)}, {calls.toFixed(1)} calls
      {tokens > 0 && `, ${formatNumber(Math.round(tokens))} tokens`}
      {money > 0 && `, ${money.toFixed(4)} money`}
    </span>
  )
}
