import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { liveConnection, liveJobs, runningJobs } from '../live.ts'
import { formatCount } from '../parts/format.ts'
import { ClusterRequests } from './cluster.tsx'
import { JobRow } from './row.tsx'

const shownAtFirst = 3

// What the server is at or could resume, then the indexings that are over. A question that is over is a run.
export function JobRows() {
  const jobs = [...liveJobs.value.values()].sort((a, b) => (a.created < b.created ? 1 : -1))
  const open = jobs.filter(job => !isOver(job.state) || (job.goOn !== undefined && job.run === undefined))
  const past = jobs.filter(job => isOver(job.state) && job.kind === 'index' && !open.includes(job))
  const busy = runningJobs().length
  if (liveConnection.value === 'connecting') return null
  return (
    <>
      <p class="dim small" role="status">
        {busy === 0 ? 'Nothing is running' : `${formatCount(busy, 'job')} running or waiting`}
      </p>
      <ClusterRequests />
      <Rows jobs={open} />
      <Rows jobs={past.slice(0, shownAtFirst)} />
      {past.length > shownAtFirst && (
        <details class="past-jobs">
          <summary class="small dim">{past.length - shownAtFirst} indexed before</summary>
          <Rows jobs={past.slice(shownAtFirst)} />
        </details>
      )}
    </>
  )
}

function Rows({ jobs }: { jobs: readonly Job[] }) {
  if (jobs.length === 0) return null
  return (
    <ol class="job-list">
      {jobs.map(job => (
        <JobRow key={job.id} job={job} />
      ))}
    </ol>
  )
}
