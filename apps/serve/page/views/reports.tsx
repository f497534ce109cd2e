import { pageAddress } from '../../../../src/core/api/pages.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api, type ReplyTo } from '../api.ts'
import { formatCount, formatDate } from '../parts/format.ts'
import { More } from '../parts/more.tsx'
import { usePages } from '../parts/pages.ts'
import { Empty } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { CostCell } from '../reports/cost.tsx'
import { ScoreBar, ScoreText } from '../reports/interval.tsx'

type Entry = ReplyTo<'GET /reports'>['reports'][number]

export default function ReportsView() {
  const { items, state, more } = usePages(async (cursor, signal) => {
    const page = await api('GET /reports', { query: { cursor }, signal })
    return { items: page.reports, cursor: page.cursor }
  })
  return (
    <div class="reports">
      <header class="list-head">
        <h1>Reports</h1>
      </header>
      {items.value.length === 0 && state.value === 'all' ? (
        <Empty title="Nothing has been measured yet">
          <p>
            <code>longtake bench make needle --out needle</code>, then{' '}
            <code>longtake bench run needle --data needle</code>
          </p>
        </Empty>
      ) : (
        <ol class="panel report-list">
          {items.value.map(report => (
            <Line key={report.report} of={report} />
          ))}
        </ol>
      )}
      <More state={state.value} more={more} />
    </div>
  )
}

function Line({ of }: { of: Entry }) {
  const { report, kind, name, benchmark, split, started, finished, samples, done, configurations, tasks, cost } = of
  return (
    <li>
      <div class="what">
        <a href={pageAddress('report', { report })}>
          <Text of={name} />
        </a>
        <p class="facts">
          <span>{kind === 'ablate' ? `ablation, ${formatCount(configurations, 'configuration')}` : 'benchmark'}</span>
          <Text of={split === undefined ? benchmark : `${benchmark} ${split}`} />
          <span>{finished ? formatCount(samples, 'question') : `${done} of ${formatCount(samples, 'question')}`}</span>
          {!finished && <StateChip of="unfinished" />}
          <time dateTime={started}>{formatDate(started)}</time>
        </p>
      </div>
      <div class="scores">
        {tasks.map(score => (
          <div key={score.task}>
            <ScoreBar of={score} />
            <ScoreText of={score} />
          </div>
        ))}
      </div>
      <p class="small dim">
        <CostCell of={cost} />
      </p>
    </li>
  )
}
