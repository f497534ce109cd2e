import type { Votes } from '../../core/agent.ts'
import { formatPercent } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'

// The runs that answered an unsure question, the first of them as it was.
export function VotesOf({ of: votes }: { of: Votes | undefined }) {
  if (!votes) return null
  const { runs, outcome = 'under way', taken, reason } = votes
  return (
    <>
      <h3>
        Votes <span class="dim">{outcome}</span>
      </h3>
      <ul class="verdicts">
        {runs.map(({ plan, text, confidence, abstained }, at) => (
          <li key={plan}>
            <span class={at === taken ? 'chip good' : 'dim'}>{at === taken ? 'taken' : `run ${at + 1}`}</span>
            <Text of={text} />
            <span class="dim small">
              {plan}, {abstained ? 'says that the video does not answer' : `confidence ${formatPercent(confidence)}`}
            </span>
          </li>
        ))}
      </ul>
      {reason !== undefined && <Text class="dim small" of={reason} />}
    </>
  )
}
