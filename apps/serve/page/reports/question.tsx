import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatSeconds, formatShare } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { currentRoute, setQuery } from '../router.ts'
import { OutcomeMark } from '../run/outcome.tsx'
import { ValueView } from '../run/value.tsx'
import { CellMark } from './cell.tsx'
import type { AskedQuestion, Report } from './types.ts'

// The run behind a cell: what was asked under a configuration, step by step.
export function OpenedQuestion({ report, question }: { report: Report; question: string }) {
  const id = useComputed(() => currentRoute.value.query.get('question') ?? question)
  const { loaded, again } = useLoad(signal =>
    api('GET /reports/:report/questions/:question', { params: { report: report.report, question: id.value }, signal }),
  )
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.focus()
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [question])
  const { value, error } = loaded.value
  return (
    <section class="panel opened" ref={panel} tabIndex={-1} aria-labelledby="opened-title">
      <header>
        <h2 id="opened-title">{value ? <Text of={value.text} /> : 'Question'}</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close the question"
          onClick={() => setQuery({ question: undefined, configuration: undefined })}
        >
          ✕
        </button>
      </header>
      {error && <ProblemNotice error={error} again={again} />}
      {value && <Opened of={value} report={report} />}
    </section>
  )
}

function Opened({ of, report }: { of: AskedQuestion; report: Report }) {
  const { cells, options, choice, reference, clues = [], video } = of
  const chosen = currentRoute.value.query.get('configuration')
  const cell = cells.find(({ configuration }) => configuration === chosen) ?? cells[0]
  const nameOf = (id: string) => report.configurations.find(({ configuration }) => configuration === id)?.name ?? id
  return (
    <>
      {options && (
        <ol class="choices">
          {options.map((option, nr) => (
            <li key={nr} class={nr === choice ? 'right' : ''}>
              {nr === choice ? '✓' : '·'} <Text of={option} />
            </li>
          ))}
        </ol>
      )}
      <p class="facts">
        <Text of={video} />
        {reference !== undefined && <Text of={`reference: ${reference}`} />}
        {clues.length > 0 && (
          <span>clues: {clues.map(({ start, end }) => `${formatTime(start)}-${formatTime(end)}`).join(', ')}</span>
        )}
      </p>
      <nav aria-label="Configuration">
        {cells.map(({ configuration, state }) => (
          <a
            key={configuration}
            href={pageAddress(
              'report',
              { report: report.report },
              { ...Object.fromEntries(currentRoute.value.query), configuration },
            )}
            aria-current={configuration === cell?.configuration ? 'true' : undefined}
          >
            <Text of={nameOf(configuration)} /> <CellMark state={state} />
          </a>
        ))}
      </nav>
      {cell?.error !== undefined && (
        <p class="wrong">
          <Text of={cell.error} />
        </p>
      )}
      <div class="asks">
        {cell?.asks.map((ask, nr) => (
          <AskView key={nr} of={ask} score={formatTaskScores(cell.scores, ask.tasks)} />
        ))}
      </div>
    </>
  )
}

function formatTaskScores(scores: Readonly<Record<string, number | null>>, tasks: readonly string[]): string {
  return tasks.map(task => `${task} ${scores[task] ?? 'not judged'}`).join(', ')
}

type Ask = AskedQuestion['cells'][number]['asks'][number]

const ways: Record<NonNullable<Ask['divergence']>['kind'], string> = {
  'other call': 'another call than the first configuration',
  'other input': 'another input than the first configuration',
  'other result': 'another result than under the first configuration',
  'ended earlier': 'one of them ends here',
}

// One ask of a question: its answer, its steps up to it, the rows that it cites.
function AskView({ of, score }: { of: Ask; score: string }) {
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
