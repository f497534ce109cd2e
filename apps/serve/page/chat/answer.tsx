import type { Answer as AnswerData, Cause, Verdict } from '../../../../src/core/agent.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { formatShare } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import type { ShownRow } from '../rows/row-source.ts'
import { verdictSigns } from './verdicts.ts'

interface AnswerProps {
  answer: AnswerData
  options?: readonly string[]
  rows: ReadonlyMap<string, ShownRow>
  jump(row: ShownRow): void
}

// Each sentence with the rows that it rests on.
export function AnswerView({ answer, options, rows, jump }: AnswerProps) {
  const { text, choice, sentences, confidence, abstained, degraded, unknown = [], cause, mend } = answer
  return (
    <div class="chat-answer">
      {options && <Choices options={options} choice={choice} />}
      {sentences.length === 0 ? (
        <p>
          <Text of={text} />
        </p>
      ) : (
        <p>
          {sentences.map((sentence, at) => (
            <span key={at} class="sentence">
              <Text of={sentence.text} /> {sentence.cites.length === 0 && <Sign verdict={sentence.verdict} />}
              {sentence.cites.map(id => (
                <Citation key={id} row={rows.get(id)} verdict={sentence.verdict} jump={jump} />
              ))}{' '}
            </span>
          ))}
        </p>
      )}
      <p class="answer-facts small">
        {abstained ? (
          <span class="chip warn">{notAnswered[cause ?? 'absent']}</span>
        ) : (
          <span class="chip">confidence {formatShare(confidence)}</span>
        )}
      </p>
      {abstained && mend && <Remarks title="What helps" of={[mend]} />}
      <Remarks title="Not answered" of={unknown} />
      <Remarks title="Note" of={degraded} />
    </div>
  )
}

const notAnswered: Record<Cause, string> = {
  absent: 'not answered: the video does not say',
  'not-looked': 'not answered: nothing could look',
  unreadable: 'not answered: that part cannot be read',
  'not-understood': 'not answered: the question was not understood',
  budget: 'not answered: the budget was spent',
}

function Citation({ row, verdict, jump }: { row: ShownRow | undefined; verdict: Verdict; jump(row: ShownRow): void }) {
  if (!row) return <span class="citation dim">[…]</span>
  const { start, end } = row.span
  const { sign, title } = verdictSigns[verdict]
  return (
    <button
      type="button"
      class={`citation ${verdict}`}
      data-row-id={row.id}
      aria-label={`${formatTime(start)} to ${formatTime(end)}, ${row.track}, ${title}`}
      title={`${row.track}: ${title}`}
      onClick={() => jump(row)}
    >
      [{formatTime(start)}]<span class="verdict">{sign}</span>
    </button>
  )
}

function Sign({ verdict }: { verdict: Verdict }) {
  const { sign, title } = verdictSigns[verdict]
  return (
    <span class={`verdict ${verdict}`} title={title}>
      {sign}
      <span class="hidden-text"> {title}</span>
    </span>
  )
}

function Choices({ options, choice }: { options: readonly string[]; choice: number | undefined }) {
  return (
    <ol class="choices">
      {options.map((option, at) => (
        <li key={at} class={at === choice ? 'chosen' : 'dim'}>
          <span class="choice-letter">{String.fromCharCode(65 + at)}</span>
          <Text of={option} />
          {at === choice && <span class="chip good">chosen</span>}
        </li>
      ))}
    </ol>
  )
}

function Remarks({ title, of: texts }: { title: string; of: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <ul class="remarks small">
      {texts.map((text, at) => (
        <li key={at}>
          <b>{title}:</b> <Text of={text} />
        </li>
      ))}
    </ul>
  )
}
