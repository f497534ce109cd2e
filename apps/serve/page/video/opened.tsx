import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { decodeLanes } from '../../../../src/core/api/lanes-format.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { api } from '../api.ts'
import { Chat } from '../chat/chat.tsx'
import { startConversation } from '../chat/conversation.ts'
import { markSpans } from '../chat/film.ts'
import { FilmSteps } from '../chat/steps.tsx'
import { isUnderWay } from '../chat/turns.ts'
import { type Column, columnOfSpans, type LaneName, packColumn } from '../lanes/columns.ts'
import { laneControl } from '../lanes/control.ts'
import { lanesOfVideo } from '../lanes/lane-list.ts'
import { LanePanel } from '../lanes/panel.tsx'
import { shownState } from '../library/state.tsx'
import { formatSize } from '../parts/format.ts'
import { StateChip } from '../parts/state-chip.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Text } from '../parts/text.tsx'
import { createClock, type PlayerClock } from '../player/clock.ts'
import { Player } from '../player/player.tsx'
import { openRows, type ShownRow } from '../rows/row-source.ts'
import { RowList } from '../rows/rows.tsx'
import { useVideoKeys } from './keys.ts'
import { useMoment } from './moment.ts'
import { PeopleList } from './people-list.tsx'
import { WrittenOverview } from './written-overview.tsx'

const titles: Partial<Record<VideoDetails['state'], string>> = {
  ready: 'indexed',
  partial: 'indexed in part',
  changed: 'file has changed',
}

function VideoHead({ video }: { video: VideoDetails }) {
  const { name, duration, picture, sound, bytes, state, why } = video
  const facts = [
    formatTime(duration),
    picture && `${picture.width} × ${picture.height} ${picture.codec}`,
    sound ? sound.codec : 'no sound',
    formatSize(bytes),
  ]
  return (
    <header class="video-head">
      <a class="skip" href="#ask">
        Skip to the question
      </a>
      <h1>
        <Text of={name} />
      </h1>
      <StateChip of={shownState(state)} title={why}>
        {titles[state]}
      </StateChip>
      <p class="small dim">{facts.filter(Boolean).join(' · ')}</p>
    </header>
  )
}

// Player, lanes, rows and chat of one video. They meet here and in the clock, nowhere else.
export function OpenedVideo({ video }: { video: ReadonlySignal<VideoDetails> }) {
  const { id, duration } = video.value
  const clock = useMemo(() => createClock(duration), [duration])
  const chat = useMemo(() => startConversation(video.peek()), [video])
  const source = useMemo(() => openRows(id), [id])
  useEffect(() => chat.close, [chat])
  const lit = useSignal<ShownRow | undefined>(undefined)
  const jump = useMoment(id, clock, lit)

  const columns = useColumns(video)
  const film = useComputed(() => chat.film(chat.active.value?.run).value)
  const all = useComputed(() => {
    const marks = Object.entries(markSpans(film.value, chat.rows(film.value))).map(
      ([lane, spans]) => [lane, columnOfSpans(spans)] as const,
    )
    return new Map<LaneName, Column>([...columns.value.columns, ...(marks as [LaneName, Column][])])
  })
  const lanes = useComputed(() => lanesOfVideo(video.value, all.value))
  const control = useMemo(() => laneControl(clock, lanes), [clock, lanes])
  useEffect(() => control.follow(), [control])
  useVideoKeys({ clock, control, chat, film, lit, jump, frameRate: video.value.picture?.frameRate })

  const box = useComputed(() => {
    const row = lit.value
    const time = clock.time.value
    return row?.box && time >= row.span.start - 0.5 && time < Math.max(row.span.end, row.span.start + 1)
      ? row.box
      : undefined
  })
  const litSpan = useComputed(() => lit.value && { lane: lit.value.track, span: lit.value.span })
  const folded = useMatch('(max-width: 640px)')
  const tab = useSignal<string>('ask')
  const litBefore = useRef<ShownRow | undefined>(undefined)
  useSignalEffect(() => {
    const row = lit.value
    // Once a row, as soon as its lane has come: lanes that load again later leave the chosen lane as it is.
    if (!row || row === litBefore.current || !lanes.value.some(({ name }) => name === row.track)) return
    litBefore.current = row
    control.lane.value = row.track
    document.querySelector('.player')?.scrollIntoView({ block: 'nearest' })
  })
  const active = chat.active.value
  return (
    <div class="video-view" data-tab={tab.value}>
      <VideoHead video={video.value} />
      <div class="stage">
        <Player video={video.value} clock={clock} box={box} />
        <Chapters video={video.value} clock={clock} />
        <WrittenOverview video={video.value} jump={jump} />
        <PeopleList video={video.value} clock={clock} jump={jump} />
        <LanePanel
          clock={clock}
          control={control}
          folded={folded}
          lit={litSpan}
          busy={columns.value.busy}
          describe={async (lane, row) => {
            if (lane === 'shot') return `shot ${row + 1}`
            return isTrack(lane) ? (await source.row(lane, row))?.text : undefined
          }}
        />
      </div>
      <div class="phone-tabs">
        <Tabs
          label="Ask, transcript, steps"
          tabs={[
            { name: 'ask', title: 'Ask' },
            { name: 'rows', title: 'Transcript' },
            { name: 'steps', title: 'Steps' },
          ]}
          chosen={tab.value}
          panel="side"
          choose={name => {
            tab.value = name
          }}
        />
      </div>
      <div class="side" id="side">
        <Chat video={video.value} chat={chat} jump={jump} />
        <RowList
          clock={clock}
          source={source}
          lit={lit}
          jump={jump}
          video={video.value}
          columns={columns.value.signal}
          busy={columns.value.busy}
        />
        <section class="phone-steps panel" aria-label="Steps">
          {film.value.items.length === 0 ? (
            <p class="dim">The steps of a question are shown here.</p>
          ) : (
            <FilmSteps film={film.value} live={active !== undefined && isUnderWay(active)} />
          )}
        </section>
      </div>
    </div>
  )
}

function isTrack(lane: LaneName): lane is Exclude<LaneName, 'looked' | 'searched' | 'cited'> {
  return lane !== 'looked' && lane !== 'searched' && lane !== 'cited'
}

function useMatch(query: string): ReadonlySignal<boolean> {
  const matches = useSignal(matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const look = () => {
      matches.value = media.matches
    }
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [query, matches])
  return matches
}

type Columns = ReadonlyMap<LaneName, Column>

// The spans of every track, read when there is an index, and again when it was made again.
function useColumns(
  video: ReadonlySignal<VideoDetails>,
): ReadonlySignal<{ columns: Columns; busy: boolean; signal: ReadonlySignal<Columns> }> {
  const columns = useSignal<Columns>(new Map())
  const busy = useSignal(true)
  const id = useComputed(() => video.value.id)
  const isIndexed = useComputed(() => video.value.coverage !== undefined)
  useSignalEffect(() => {
    busy.value = isIndexed.value
    if (!isIndexed.value) return
    const leave = new AbortController()
    api('GET /videos/:video/lanes', { params: { video: id.value }, signal: leave.signal }).then(
      bytes => {
        columns.value = new Map(decodeLanes(bytes).columns.map(column => [column.lane, packColumn(column)]))
        busy.value = false
      },
      () => {
        if (!leave.signal.aborted) busy.value = false // a file that has changed: the state of the video says so
      },
    )
    return () => leave.abort()
  })
  return useComputed(() => ({ columns: columns.value, busy: busy.value, signal: columns }))
}

// The chapters of the overview, one after the other.
function Chapters({ video, clock }: { video: VideoDetails; clock: PlayerClock }) {
  const chapters = video.overview?.chapters ?? []
  const current = useComputed(() => {
    const time = clock.time.value
    return chapters.findIndex(({ span }) => time >= span.start && time < span.end)
  })
  const list = useRef<HTMLOListElement>(null)
  useSignalEffect(() => {
    const item = list.current?.children[current.value]
    if (!(item instanceof HTMLElement) || !list.current) return
    const { scrollLeft, clientWidth } = list.current
    if (item.offsetLeft < scrollLeft || item.offsetLeft + item.offsetWidth > scrollLeft + clientWidth)
      list.current.scrollLeft = item.offsetLeft
  })
  if (chapters.length < 2) return null
  return (
    <nav class="chapters" aria-label="Chapters">
      <ol ref={list}>
        {chapters.map(({ span, title }, at) => (
          <li key={span.start}>
            <button
              type="button"
              class="quiet"
              aria-current={at === current.value ? 'true' : undefined}
              onClick={() => clock.seek(span.start)}
            >
              <span class="row-time">{formatTime(span.start)}</span> <Text of={title} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
