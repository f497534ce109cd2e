import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { api } from '../api.ts'
import { type Column, type LaneName, rowAt } from '../lanes/columns.ts'
import { findIndexJob } from '../library/state.tsx'
import { useLoad } from '../load.ts'
import { formatCount } from '../parts/format.ts'
import { spokenLanguage } from '../parts/language.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import type { PlayerClock } from '../player/clock.ts'
import { RowLine } from './row-line.tsx'
import type { RowSource, ShownRow } from './row-source.ts'
import { columnOfTab, type RowTab, tabOfTrack } from './tabs.ts'

interface RowsProps {
  video: VideoDetails
  tab: RowTab
  clock: PlayerClock
  columns: ReadonlySignal<ReadonlyMap<LaneName, Column>>
  busy: boolean // the columns are still to come
  source: RowSource
  lit: ReadonlySignal<ShownRow | undefined> // the cited row
  jump(row: ShownRow): void
}

const rowHeight = 44

// What the index holds, as text: the same data as the lanes.
export function RowList(props: RowsProps) {
  const { columns, busy, lit, video, tab, clock } = props
  const sought = useSignal('')
  const following = useSignal(!matchMedia('(prefers-reduced-motion: reduce)').matches)
  const column = useComputed(() => columnOfTab(tab, columns.value))
  useSignalEffect(() => {
    if (!lit.value || tabOfTrack(lit.value.track) !== tab) return
    sought.value = ''
    following.value = true
  })
  return (
    <section class={video.duration < 3600 ? 'row-panel' : 'row-panel long'} aria-label={tab.title}>
      {video.coverage && (
        <input
          type="search"
          class="filter"
          aria-label={`Find in ${tab.title.toLowerCase()}`}
          placeholder="Find"
          value={sought.value}
          onInput={event => {
            sought.value = event.currentTarget.value
          }}
        />
      )}
      <div class="rows-body">
        {sought.value.trim() !== '' ? (
          <FoundRows video={video.id} tab={tab} sought={sought} clock={clock} lit={lit} jump={props.jump} />
        ) : column.value && column.value.starts.length > 0 ? (
          <AllRows {...props} column={column.value} following={following} />
        ) : (
          <p class="rows-none dim">{busy ? 'Loading…' : whyNone(video, tab)}</p>
        )}
      </div>
    </section>
  )
}

function AllRows({
  clock,
  source,
  lit,
  jump,
  tab,
  column,
  following,
  video,
}: RowsProps & { column: Column; following: Signal<boolean> }) {
  const tracks = tab.tracks.join(',')
  const body = useRef<HTMLDivElement>(null)
  const current = useComputed(() => rowAt(column, Math.round(clock.time.value * 1000), true))
  const show = useComputed(() => (following.value ? current.value : undefined))
  source.changed.value // rows that came
  const goTo = (at: number) => {
    following.value = false
    const list = body.current?.querySelector('.virtual-list')
    if (!list || at < 0 || at >= column.starts.length) return
    const top = at * rowHeight
    if (top < list.scrollTop) list.scrollTop = top
    if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight
    requestAnimationFrame(() => list.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus())
  }
  return (
    <div class="rows-all" ref={body}>
      <VirtualList
        label={tab.title}
        count={column.starts.length}
        rowHeight={rowHeight}
        show={show}
        touched={() => {
          following.value = false
        }}
        row={(at, { first, last }) => (
          <RowLine
            at={at}
            row={source.peek(tracks, at)}
            start={(column.starts[at] ?? 0) / 1000}
            isCurrent={at === current.value}
            isLit={lit.value !== undefined && source.peek(tracks, at)?.id === lit.value.id}
            canTab={at === Math.min(Math.max(first, current.value ?? 0), last - 1)}
            language={spokenLanguage(video)}
            jump={jump}
            move={goTo}
          />
        )}
      />
      {!following.value && (
        <button
          type="button"
          class="follow"
          onClick={() => {
            following.value = true
          }}
        >
          Follow the player
        </button>
      )}
    </div>
  )
}

// Nothing found and not looked are different things.
function whyNone({ id, coverage }: VideoDetails, tab: RowTab): string {
  const trackState = tab.name === 'notes' ? undefined : coverage?.[tab.tracks[0]]
  if (!coverage && findIndexJob(id))
    return tab.name === 'transcript' ? 'Lines appear here as they are recognised.' : 'Shown when indexing is done.'
  if (!coverage) return 'Not indexed yet. Asking a question starts indexing.'
  if (trackState?.state === 'absent') return noneInVideo[tab.name]
  if (trackState?.state === 'off') return `${tab.title}: off in the settings that indexed this video.`
  if (trackState?.state === 'failed')
    return `${tab.title}: indexing this failed${trackState.note ? `: ${trackState.note}` : '.'}`
  return 'Nothing was found in the whole video.'
}

const noneInVideo: Record<RowTab['name'], string> = {
  transcript: 'No speech in this video.',
  screen: 'No picture in this video.',
  sounds: 'No sound in this video.',
  notes: 'Nothing was written about this video.',
}

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
function FoundRows({ video, tab, sought, clock, lit, jump }: FoundRowsProps) {
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
