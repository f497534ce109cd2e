import type { Answer, Cause, Verdict } from '../../../../src/core/agent.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatShare } from '../parts/format.ts'
import { StillImage } from '../parts/still.tsx'
import type { ShownRow } from '../rows/row-source.ts'
import { listCites } from './film.ts'
import { verdictSigns } from './verdicts.ts'

// Where the cited rows are to be seen.
export interface RowPlaces {
  ofOne: boolean // the question is about one video
  still(row: ShownRow): string | undefined // the path below which the stills of its video are
  film(row: ShownRow): { name: string; address: string } | undefined // if it is of another video than that of the page
}

interface AnswerProps {
  places: RowPlaces
  answer: Answer
  options?: readonly string[]
  rows: ReadonlyMap<string, ShownRow>
  jump(row: ShownRow): void
}

const clearly = 0.7 // below it, speech was heard unclearly

// Each sentence with the rows that it rests on, then those rows as pictures.
export function AnswerView({ places, answer, options, rows, jump }: AnswerProps) {
  const { text, choice, sentences, confidence, abstained, degraded, unknown = [], cause, mend } = answer
  const cited = listCites(answer).flatMap(id => rows.get(id) ?? [])
  const leastSure = Math.min(...cited.map(row => (row.track === 'speech' ? (row.confidence ?? 1) : 1)))
  const body =
    sentences.length === 0 ? (
      <p>
        <Text of={text} />
      </p>
    ) : (
      <p>
        {sentences.map((sentence, at) => (
          <span key={at} class="sentence">
            <Text of={sentence.text} />{' '}
            {sentence.cites.length === 0 && !abstained && <Sign verdict={sentence.verdict} />}
            {sentence.cites.map(id => (
              <Citation key={id} row={rows.get(id)} verdict={sentence.verdict} places={places} jump={jump} />
            ))}{' '}
          </span>
        ))}
      </p>
    )
  return (
    <div class="chat-answer">
      {options && <Choices options={options} choice={choice} />}
      {abstained ? <NotAnswered {...{ mend, body }} cause={cause ?? 'absent'} ofOne={places.ofOne} /> : body}
      {cited.length > 0 && <Moments places={places} rows={cited} jump={jump} />}
      {!abstained && (
        <p class="answer-facts small">
          <span class="chip">confidence {formatShare(confidence)}</span>
          {leastSure < clearly && (
            <span class="chip warn" title={`The words that it cites were recognised with ${formatShare(leastSure)}`}>
              heard unclearly
            </span>
          )}
        </p>
      )}
      <Remarks title="Not answered" of={unknown} />
      <Remarks title="Note" of={degraded} />
    </div>
  )
}

const causes: Record<Cause, { sign: string; title: string }> = {
  absent: { sign: '∅', title: 'The video does not say' },
  'not-looked': { sign: '◌', title: 'Could not look' },
  unreadable: { sign: '▒', title: 'Cannot be read' },
  'not-understood': { sign: '?', title: 'Question not understood' },
  budget: { sign: '◔', title: 'Stopped at a limit' },
}

interface NotAnsweredProps {
  cause: Cause
  mend: string | undefined
  body: preact.JSX.Element
  ofOne: boolean
}

// Why there is no answer, each cause in its own look, and what would help.
function NotAnswered({ cause, mend, body, ofOne }: NotAnsweredProps) {
  const { sign, title } = ofOne || cause !== 'absent' ? causes[cause] : { ...causes[cause], title: 'No video says' }
  return (
    <div class={`not-answered ${cause}`}>
      <p class="not-answered-title">
        <span aria-hidden="true">{sign}</span> {title}
      </p>
      {body}
      {mend !== undefined && (
        <p class="small mend">
          <Text of={mend} /> {cause === 'not-looked' && <a href="/health">What is ready</a>}
        </p>
      )}
    </div>
  )
}

const maxMoments = 6

// What it rests on, to be looked at: the frame of each cited row.
function Moments({ places, rows, jump }: Pick<AnswerProps, 'places' | 'jump'> & { rows: readonly ShownRow[] }) {
  const seen = rows.flatMap(row => {
    const base = places.still(row)
    return base === undefined ? [] : [{ row, base }]
  })
  if (seen.length === 0) return null
  return (
    <ul class="moments" aria-label="Cited moments">
      {seen.slice(0, maxMoments).map(({ row, base }) => {
        const name = places.film(row)?.name
        const time = formatTime(row.span.start)
        return (
          <li key={row.id}>
            <button
              type="button"
              class="quiet moment"
              aria-label={name === undefined ? `Show ${time}` : `Show ${name} at ${time}`}
              onClick={() => jump(row)}
            >
              <StillImage base={base} second={(row.span.start + Math.min(row.span.end, row.span.start + 2)) / 2} />
              <span class="number">{time}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

interface CitationProps extends Pick<AnswerProps, 'places' | 'jump'> {
  row: ShownRow | undefined
  verdict: Verdict
}

function Citation({ row, verdict, places, jump }: CitationProps) {
  if (!row) return <span class="citation dim">[…]</span>
  const { start, end } = row.span
  const { sign, title } = verdictSigns[verdict]
  const film = places.film(row)
  if (film)
    return (
      <a class={`citation ${verdict}`} data-row-id={row.id} href={film.address} title={`${row.track}: ${title}`}>
        [<Text of={film.name} class="film" /> {formatTime(start)}]<span class="verdict">{sign}</span>
      </a>
    )
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
