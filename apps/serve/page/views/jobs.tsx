import { isOver } from '../../../../src/core/api/job-state.ts'
import { ClusterRequests } from '../jobs/cluster.tsx'
import { JobRow } from '../jobs/row.tsx'
import { liveConnection, liveJobs, runningJobs } from '../live.ts'
import { formatCount } from '../parts/format.ts'
import { Empty } from '../parts/problem.tsx'
import { currentRoute, setQuery } from '../router.ts'
import type { ViewProps } from '../view.ts'

const kinds = { '': 'all', open: 'under way', stopped: 'to go on with', failed: 'failed', done: 'done' } as const

// Everything that the server was asked to do, the newest first.
export default function JobsView(_: ViewProps) {
  const chosen = currentRoute.value.query.get('show') ?? ''
  const all = [...liveJobs.value.values()].sort((a, b) => (a.created < b.created ? 1 : -1))
  const visibleJobs = all.filter(({ state, goOn }) => {
    if (chosen === 'open') return !isOver(state)
    if (chosen === 'stopped') return goOn !== undefined
    return chosen === '' || state === chosen
  })
  const busy = runningJobs().length
  return (
    <div class="jobs">
      <div class="view-head">
        <h1>Jobs</h1>
        <p class="dim small" role="status">
          {busy === 0 ? 'Nothing is under way' : `${formatCount(busy, 'job')} under way or waiting`}
        </p>
        <label class="small dim">
          <span>Show</span>
          <select value={chosen} onChange={({ currentTarget }) => setQuery({ show: currentTarget.value || undefined })}>
            {Object.entries(kinds).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ClusterRequests />
      {visibleJobs.length === 0 && liveConnection.value !== 'connecting' && (
        <Empty title={all.length === 0 ? 'Nothing was asked of this server yet' : 'No such job'}>
          {all.length === 0 ? (
            <p>
              Indexings and questions are listed here, also those that a killed server left.{' '}
              <a href="/">To the library</a>
            </p>
          ) : (
            <a href="/jobs">Show all</a>
          )}
        </Empty>
      )}
      <ol class="job-list">
        {visibleJobs.map(job => (
          <JobRow key={job.id} job={job} />
        ))}
      </ol>
    </div>
  )
}
