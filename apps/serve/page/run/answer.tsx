import { formatShare } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { VerdictMark } from './outcome.tsx'
import { MomentLink } from './row-line.tsx'
import type { RunReply } from './types.ts'

type Answered = NonNullable<RunReply['answer']>

// The checked answer: each sentence with the rows that it rests on, then what it could not know.
export function RecordedAnswer({ of, run }: { of: Answered; run: string }) {
  const { answer, evidence, video, question, stop } = of
  const rows = new Map(evidence.map(row => [row.id, row]))
  const { sentences, abstained, confidence, degraded, unknown = [], choice, cause, mend } = answer
  return (
    <div class="answer">
      {choice !== undefined && (
        <p>
          <span class="dim">Chosen: </span>
          <Text of={`${choice + 1}. ${question.options?.[choice] ?? ''}`} />
        </p>
      )}
      <p>
        {sentences.length === 0 && <Text of={answer.text} />}
        {sentences.map(({ text, cites, verdict }, nr) => (
          <span class="sentence" key={nr}>
            <Text of={text} />
            {cites.map(id => {
              const row = rows.get(id)
              return row && <MomentLink key={id} video={video.id} span={row.span} row={id} run={run} />
            })}
            {cites.length > 0 && verdict !== 'supported' && <VerdictMark of={verdict} />}
          </span>
        ))}
      </p>
      <p class="facts">
        <span>
          {abstained ? (
            `Not answered${cause ? ` (${cause})` : ''}. ${mend ?? ''}`
          ) : (
            <>
              Confidence <b>{formatShare(confidence)}</b>
            </>
          )}
        </span>
        {stop !== 'answered' && <span>ended by the limit of {stop}</span>}
      </p>
      {[...degraded, ...unknown.map(part => `Not answered: ${part}`)].map(note => (
        <p class="dim small" key={note}>
          <Text of={note} />
        </p>
      ))}
    </div>
  )
}
