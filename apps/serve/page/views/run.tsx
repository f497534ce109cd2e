import { useEffect } from 'preact/hooks'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { api } from '../api.ts'
import { liveJobs, onLive } from '../live.ts'
import { useLoad } from '../load.ts'
import { Empty, ProblemNotice } from '../parts/problem.tsx'
import { FilmView } from '../run/film.tsx'
import type { ViewProps } from '../view.ts'

export default function RunView({ params: { run = '' } }: ViewProps) {
  const { loaded, again } = useLoad(signal => api('GET /runs/:run', { params: { run }, signal }))
  useEffect(() => followRun(run, again), [run])
  const { value, error } = loaded.value
  if (error)
    return (
      <>
        <h1>Run</h1>
        <ProblemNotice error={error} again={again} />
      </>
    )
  if (!value) return <p class="loading">Loading…</p>
  if (value.kind !== 'question')
    return (
      <Empty title="This run is an evaluation">
        <a href={pageAddress('report', { report: run })}>Open its report</a>
      </Empty>
    )
  return <FilmView run={value} again={again} />
}

const pause = 250 // milliseconds: a step has many events

// A run under way is read again as it goes on.
function followRun(run: string, again: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = onLive(event => {
    const job = event.kind === 'job' ? event.job : liveJobs.peek().get(event.job)
    if (job?.run !== run) return
    timer ??= setTimeout(() => {
      timer = undefined
      again()
    }, pause)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
