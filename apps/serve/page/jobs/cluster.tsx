import { useEffect } from 'preact/hooks'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatCount, formatSeconds } from '../parts/format.ts'

const every = 5000 // milliseconds

// What was asked of several machines, if there is a cluster; else nothing.
export function ClusterRequests() {
  const { loaded, again } = useLoad(signal => api('GET /cluster', { signal }))
  const { cluster, problem } = loaded.value.value ?? {}
  const isThere = cluster !== undefined || problem !== undefined
  useEffect(() => {
    if (!isThere) return
    const timer = setInterval(again, every)
    return () => clearInterval(timer)
  }, [isThere])
  if (!isThere) return null
  return (
    <section class="panel cluster" aria-labelledby="cluster-title">
      <h2 id="cluster-title">Cluster</h2>
      {problem !== undefined && <Text of={problem} class="dim small" />}
      {cluster && (
        <>
          <p class="dim small" role="status">
            {formatCount(cluster.workers, 'worker')}, {formatCount(cluster.running, 'job')} running, {cluster.waiting}{' '}
            waiting
            {cluster.failures > 0 && `, ${formatCount(cluster.failures, 'failure')}`}. <Text of={cluster.waitReason} />
          </p>
          <ul class="rows">
            {cluster.requests.map(({ id, kind, done, total, running, failed, left }) => (
              <li key={id}>
                <progress max={Math.max(1, total)} value={done + failed} aria-label={`${kind} ${id.slice(0, 8)}`} />{' '}
                {kind} {id.slice(0, 8)}: {done} of {total} done, {running} running
                {failed > 0 && `, ${failed} failed`}
                {left !== undefined && `, about ${formatSeconds(left)} left`}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
