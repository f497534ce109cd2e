import { useComputed, useSignal } from '@preact/signals'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { formatCount, formatDate } from '../parts/format.ts'
import { Notes } from '../parts/notes.tsx'
import { usePages } from '../parts/pages.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { Configurations } from '../reports/configurations.tsx'
import { Matrix } from '../reports/matrix.tsx'
import { OpenedQuestion } from '../reports/question.tsx'
import type { Report } from '../reports/types.ts'
import { currentRoute, setQuery } from '../router.ts'
import type { ViewProps } from '../view.ts'

export default function ReportView({ params: { report = '' } }: ViewProps) {
  const details = useSignal<Report | undefined>(undefined)
  const show = useComputed(() => currentRoute.value.query.get('show') ?? 'all')
  const pages = usePages(async (cursor, signal) => {
    const query = { show: show.value === 'all' ? undefined : show.value, cursor }
    const page = await api('GET /reports/:report', { params: { report }, query, signal })
    details.value = page
    return { items: page.questions, cursor: page.cursor }
  })
  const question = useComputed(() => currentRoute.value.query.get('question') ?? undefined)
  const value = details.value
  if (!value)
    return pages.state.value instanceof Error ? (
      <>
        <h1>Report</h1>
        <ProblemNotice error={pages.state.value} again={pages.again} />
      </>
    ) : (
      <p class="loading">Loading…</p>
    )
  return (
    <div class="report">
      <Head of={value} />
      <Configurations of={value} />
      <AsPage path={value.page} />
      {question.value !== undefined && <OpenedQuestion report={value} question={question.value} />}
      <Matrix of={value} show={show.value} pages={pages} />
    </div>
  )
}

function Head({ of: { name, kind, benchmark, split, samples, done, finished, started, notes } }: { of: Report }) {
  return (
    <header class="report-head">
      <h1>
        <Text of={name} />
      </h1>
      <p class="facts">
        <span>{kind === 'ablate' ? 'ablation' : 'benchmark'}</span>
        <Text of={split === undefined ? benchmark : `${benchmark} ${split}`} />
        <span>
          {done === samples ? formatCount(samples, 'question') : `${done} of ${formatCount(samples, 'question')}`}
        </span>
        {!finished && <StateChip of="unfinished" />}
        <time dateTime={started}>{formatDate(started)}</time>
      </p>
      <Notes notes={notes} />
    </header>
  )
}

// The self-contained report, in a sandbox: it runs its own script and can ask this server for nothing.
function AsPage({ path }: { path: string | undefined }) {
  if (path === undefined) return null
  const open = currentRoute.value.query.get('page') === '1'
  return (
    <section class="as-page">
      <button type="button" aria-expanded={open} onClick={() => setQuery({ page: open ? undefined : 1 })}>
        {open ? 'Close the full report' : 'Open the full report'}
      </button>
      {open && <iframe title="The full report" src={path} sandbox="allow-scripts" />}
    </section>
  )
}
