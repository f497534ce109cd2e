import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { decodeLanes } from '../../../../src/core/api/lanes-format.ts'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { startConversation } from '../chat/conversation.ts'
import { listMarks } from '../chat/film.ts'
import { type Column, columnOfLane, columnOfSpans, type LaneName } from '../lanes/columns.ts'
import { laneControl } from '../lanes/control.ts'
import { lanesOfVideo } from '../lanes/lane-list.ts'
import { LanePanel } from '../lanes/panel.tsx'
import { shownState } from '../library/state.tsx'
import { formatSize } from '../parts/format.ts'
import { StateChip } from '../parts/state-chip.tsx'
import { createClock } from '../player/clock.ts'
import { Player } from '../player/player.tsx'
import { growRows } from '../rows/growing-rows.ts'
import { openRows, type ShownRow } from '../rows/row-source.ts'
import { tabOfTrack } from '../rows/tabs.ts'
import { useVideoKeys } from './keys.ts'
import { useMoment } from './moment.ts'
import { SidePanel } from './side-panel.tsx'
import { WrittenOverview } from './written-overview.tsx'

const titles: Partial<Record<VideoDetails['state'], string>> = {
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
      {state !== 'ready' && (
        <StateChip of={shownState(state)} title={why}>
          {titles[state]}
        </StateChip>
      )}
      <p class="small dim">{facts.filter(Boolean).join(' · ')}</p>
    </header>
  )
}

// Player, lanes, rows and chat of one video. They meet here and in the clock, nowhere else.
export function OpenedVideo({ video }: { video: ReadonlySignal<VideoDetails> }) {
  const { id, duration } = video.value
  const clock = useMemo(() => createClock(duration), [duration])
  const chat = useMemo(() => startConversation(video.peek()), [video])
  const whole = useMemo(() => openRows(id), [id])
  const growing = useMemo(() => growRows(id), [id])
  useEffect(() => growing.close, [growing])
  const isIndexed = video.value.coverage !== undefined
  const source = isIndexed ? whole : growing.source
  useEffect(() => chat.close, [chat])
  const lit = useSignal<ShownRow | undefined>(undefined)
  const jump = useMoment(id, clock, lit)

  const columns = useColumns(video)
  const film = useComputed(() => chat.film(chat.active.value?.run).value)
  const all = useComputed(() => {
    const marks = Object.entries(listMarks(film.value, chat.rows(film.value))).map(
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
  const wide = useMatch('(min-width: 960px)')
  const tab = useSignal<string>('ask')
  const opened = useSignal<boolean | undefined>(undefined) // by hand
  const showsLanes = useComputed(
    () => opened.value ?? (wide.value && (chat.active.value?.answer ?? film.value.answer) !== undefined),
  )
  const cited = useComputed(() => listMarks(film.value, chat.rows(film.value)).cited)
  const litBefore = useRef<ShownRow | undefined>(undefined)
  useSignalEffect(() => {
    const row = lit.value
    // Once a row, as soon as its lane has come: lanes that load again later leave the chosen lane as it is.
    if (!row || row === litBefore.current || !lanes.value.some(({ name }) => name === row.track)) return
    litBefore.current = row
    control.lane.value = row.track
    document.querySelector('.player')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div class="video-view">
      <VideoHead video={video.value} />
      <div class="stage">
        <Player video={video.value} clock={clock} box={box} cited={cited} />
        <CitedLine
          lit={lit}
          open={({ track }) => {
            tab.value = tabOfTrack(track).name
          }}
        />
        <WrittenOverview video={video.value} jump={jump} />
        <details
          class="evidence"
          open={showsLanes.value}
          onToggle={event => {
            const isOpen = event.currentTarget.open
            if (isOpen !== showsLanes.peek()) opened.value = isOpen
          }}
        >
          <summary>Evidence</summary>
          {showsLanes.value && (
            <LanePanel
              {...{ clock, control, folded, lit: litSpan }}
              busy={columns.value.busy}
              describe={async (lane, row) => {
                if (lane === 'shot') return `shot ${row + 1}`
                return isTrack(lane) ? (await source.row(lane, row))?.text : undefined
              }}
            />
          )}
        </details>
      </div>
      <SidePanel
        {...{ chat, clock, tab, source, lit, jump }}
        video={video.value}
        columns={isIndexed ? columns.value.signal : growing.columns}
        busy={columns.value.busy}
      />
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
        columns.value = new Map(
          decodeLanes(bytes).columns.map(column => [column.lane, columnOfLane(column, video.peek().duration)]),
        )
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

// The row that was jumped to, below the picture: what an answer rests on stays in sight beside the answer.
function CitedLine({ lit, open }: { lit: ReadonlySignal<ShownRow | undefined>; open(row: ShownRow): void }) {
  const row = lit.value
  if (!row) return null
  const { title } = tabOfTrack(row.track)
  return (
    <p class="cited-line" role="status">
      <span class="row-time">{formatTime(row.span.start)}</span> <Text of={row.text} class="cited-text" />{' '}
      <button type="button" class="small quiet" onClick={() => open(row)}>
        Show in “{title}”
      </button>
    </p>
  )
}
