import { formatTime } from '../../../../src/core/words/time-text.ts'
import { formatSeconds, formatShare } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { OutcomeMark } from '../run/outcome.tsx'
import { ValueView } from '../run/value.tsx'
import type { AskedQuestion } from './types.ts'

type Ask = AskedQuestion['cells'][number]['asks'][number]

const ways: Record<NonNullable<Ask['divergence']>['kind'], string> = {
  'other call': 'another call than the first configuration',
  'other input': 'another input than the first configuration',
  'other result': 'another result than under the first configuration',
  'ended earlier': 'one of them ends here',
}

// One ask of a question: its answer, its steps up to it, the rows that it cites.
export function AskView({ of, score }: { of: Ask; score: string }) {
  const { answer, error, stop, seconds, steps, evidence, divergence } = of
  const cited = evidence.filter(row => row.cited)
  return (
    <article>
      <h3>
        {score} <span class="dim">{formatSeconds(seconds)}</span>
        {answer && (
          <span class="dim">
            {answer.abstained ? `not answered (${answer.cause ?? 'absent'})` : formatShare(answer.confidence)}
          </span>
        )}
        {stop !== undefined && stop !== 'answered' && <span class="dim">ended by the limit of {stop}</span>}
      </h3>
      {answer && (
        <p>
          <Text of={answer.text} />
        </p>
      )}
      {error !== undefined && (
        <p class="wrong">
          <Text of={error} />
        </p>
      )}
      <ol class="steps-made">
        {steps.map((step, at) => (
          <li key={at} class={divergence?.at === at ? 'first' : ''}>
            {divergence?.at === at && <p class="marker">{ways[divergence.kind]}</p>}
            <details>
              <summary>
                <code>{step.tool}</code> <OutcomeMark of={step.outcome} rows={step.evidence.length} />
              </summary>
              <ValueView of={step.input} />
              {step.notes.map(note => (
                <p class="small dim" key={note}>
                  <Text of={note} />
                </p>
              ))}
            </details>
          </li>
        ))}
      </ol>
      {cited.length > 0 && (
        <ol class="row-list" aria-label="Cited rows">
          {cited.map(({ id, span, track, text }) => (
            <li class="row" key={id}>
              <span class="time">{formatTime(span.start)}</span>
              <span class={`track ${track}`}>{track}</span>
              <Text class="said" of={text} />
            </li>
          ))}
        </ol>
      )}
    </article>
  )
}
