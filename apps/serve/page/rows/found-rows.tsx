import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { formatCount } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import type { PlayerClock } from '../player/clock.ts'
import { RowLine } from './row-line.tsx'
import type { ShownRow } from './row-source.ts'
import type { RowTab } from './tabs.ts'

interface FoundRowsProps {
  video: string
  tab: RowTab
  sought: ReadonlySignal<string>
  clock: PlayerClock
  lit: ReadonlySignal<ShownRow | undefined>
  jump(row: ShownRow): void
}

const most = 100
const pause = 200 // milliseconds after the last key

// What the search of the index finds for the filter, the best first.
export function FoundRows({ video, tab, sought, clock, lit, jump }: FoundRowsProps) {
  const query = useSignal(sought.peek().trim())
  const list = useRef<HTMLUListElement>(null)
  useSignalEffect(() => {
    const next = sought.value.trim()
    const timer = setTimeout(() => {
      query.value = next
    }, pause)
    return () => clearTimeout(timer)
  })
  const tracks = tab.tracks.join(',')
  const { loaded, again } = useLoad(async signal => {
    const q = query.value
    return q === '' ? { hits: [] } : api('GET /search', { query: { q, video, tracks, k: most }, signal })
  })
  const current = useComputed(() => {
    const time = clock.time.value
    return loaded.value.value?.hits.find(({ evidence: { span } }) => time >= span.start && time < span.end)?.evidence.id
  })
  const { state, value, error } = loaded.value
  if (state === 'failed') return <ProblemNotice error={error} again={again} />
  if (state === 'loading') return <p class="rows-none dim">Searching…</p>
  return (
    <>
      <p class="rows-count dim small" role="status">
        {value.hits.length === 0 ? 'Nothing found.' : `${formatCount(value.hits.length, 'row')}, the best first`}
      </p>
      <ul class="found-rows" ref={list}>
        {value.hits.map(({ evidence, terms }, at) => (
          <li key={evidence.id}>
            <RowLine
              at={at}
              row={evidence}
              start={evidence.span.start}
              isCurrent={current.value === evidence.id}
              isLit={lit.value?.id === evidence.id}
              canTab={at === 0}
              terms={terms}
              jump={jump}
              move={to => list.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus()}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
