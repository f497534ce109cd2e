import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatCount, formatShare } from '../parts/format.ts'
import { More } from '../parts/more.tsx'
import type { Pages } from '../parts/pages.ts'
import { currentRoute } from '../router.ts'
import { CellMark } from './cell.tsx'
import type { Cell, QuestionSummary, Report } from './types.ts'

const shows = {
  all: 'All',
  wrong: 'Wrong',
  different: 'Different',
  error: 'Error',
  confidence: 'Low confidence',
} as const

interface MatrixProps {
  of: Report
  show: string
  pages: Pages<QuestionSummary>
}

// Questions × configurations. What is shown is in the address.
export function Matrix({ of: { report, configurations, done }, show, pages: { items, state, more } }: MatrixProps) {
  const only = currentRoute.value.query.get('in') ?? undefined
  const visibleQuestions = items.value.filter(question => isIn(question, only, show))
  const name = configurations.find(({ configuration }) => configuration === only)?.name
  return (
    <section class="panel matrix" aria-labelledby="matrix-title">
      <header>
        <h2 id="matrix-title">Questions</h2>
        <nav aria-label="Which questions">
          {Object.entries(shows).map(([value, title]) => (
            <a
              key={value}
              href={pageAddress('report', { report }, { show: value === 'all' ? undefined : value })}
              aria-current={show === value ? 'true' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <p class="dim small" role="status">
          {state.value === 'all' ? `${visibleQuestions.length} of ${formatCount(done, 'question')}` : ''}
          {name !== undefined && `, under ${name}`}
        </p>
      </header>
      {visibleQuestions.length === 0 && state.value === 'all' ? (
        <p class="dim none">No question is of that kind.</p>
      ) : (
        <Table report={report} configurations={configurations} questions={visibleQuestions} />
      )}
      <More state={state.value} more={more} />
    </section>
  )
}

// A bar opens the questions of its own configuration.
function isIn({ cells }: QuestionSummary, only: string | undefined, show: string): boolean {
  if (only === undefined || show === 'all') return true
  return cells.some(cell => cell.configuration === only && fits(cell, show))
}

function fits({ state, different, confidence = 1 }: Cell, show: string): boolean {
  if (show === 'different') return different
  return show === 'confidence' ? confidence < 0.5 : state === show
}

interface TableProps {
  report: string
  configurations: Report['configurations']
  questions: readonly QuestionSummary[]
}

function Table({ report, configurations, questions }: TableProps) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Question</th>
            {configurations.map(({ configuration, name }) => (
              <th scope="col" key={configuration}>
                <Text of={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {questions.map(({ question, text, video, groups, cells }) => (
            <tr key={question}>
              <th scope="row">
                <Text of={text} />
                <span class="dim">
                  <Text of={[video, ...Object.values(groups)].join(' · ')} />
                </span>
              </th>
              {configurations.map(({ configuration }) => (
                <td key={configuration}>
                  <CellLink
                    report={report}
                    question={question}
                    cell={cells.find(one => one.configuration === configuration)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function CellLink({ report, question, cell }: { report: string; question: string; cell: Cell | undefined }) {
  if (!cell) return <span class="dim">not asked</span>
  const { configuration, state, confidence, different, abstained } = cell
  const now = Object.fromEntries(currentRoute.value.query)
  return (
    <a class="cell" href={pageAddress('report', { report }, { ...now, question, configuration })}>
      <CellMark state={state} />
      <span class="dim">
        {abstained ? 'abstained' : confidence === undefined ? '' : formatShare(confidence)}
        {different && <span title="Another answer than the first configuration's"> ≠</span>}
      </span>
    </a>
  )
}
