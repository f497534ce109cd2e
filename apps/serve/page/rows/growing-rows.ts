import { type ReadonlySignal, signal } from '@preact/signals'
import { api } from '../api.ts'
import { type Column, columnOfSpans, type LaneName } from '../lanes/columns.ts'
import { findIndexJob } from '../library/state.tsx'
import { liveJobs } from '../live.ts'
import type { RowSource, ShownRow } from './row-source.ts'

const pause = 2000 // milliseconds between two looks

// The lines of speech of a video that is being indexed, as far as they are kept. Asked for while its job says that it goes on.
export function growRows(video: string): {
  source: RowSource
  columns: ReadonlySignal<ReadonlyMap<LaneName, Column>>
  close(): void
} {
  const rows: ShownRow[] = []
  const changed = signal(0)
  const columns = signal<ReadonlyMap<LaneName, Column>>(new Map())
  const leave = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = async () => {
    const query = { tracks: 'speech', index: 'so-far', cursor: rows.length }
    const page = await api('GET /videos/:video/rows', { params: { video }, query, signal: leave.signal }).catch(
      () => undefined,
    )
    timer = undefined
    if (!page || page.rows.length === 0) return
    rows.push(...page.rows)
    columns.value = new Map([['speech', columnOfSpans(rows.map(({ span }) => span))]])
    changed.value++
  }
  const unwatch = liveJobs.subscribe(() => {
    if (findIndexJob(video)?.state === 'running') timer ??= setTimeout(read, changed.peek() === 0 ? 200 : pause)
  })
  return {
    source: { changed, peek: (_, at) => rows[at], row: async (_, at) => rows[at] },
    columns,
    close() {
      leave.abort()
      unwatch()
      clearTimeout(timer)
    },
  }
}
