import { batch, computed, signal } from '@preact/signals'
import { formatMoment } from '../../../src/core/words/time-text.ts'
import { visibleText } from '../../../src/core/words/visible-text.ts'
import type { PageVideo } from '../../make/review/page-data.ts'
import type { ItemInterval } from '../../recipes/item.ts'
import { formatStamps, KeyButton, tell } from './session.tsx'

// The video or its stills, the time line and the intervals on it.

const source = signal<PageVideo | undefined>(undefined)
const isPlayable = signal(false) // else stills
const isPaused = signal(true)
const time = signal(0)
const begun = signal<number | undefined>(undefined) // an interval that has no end yet
export const markedSpans = signal<readonly ItemInterval[]>([])
let film: HTMLVideoElement | null = null

const duration = computed(() => source.value?.duration ?? 0)
const now = () => (isPlayable.value && film ? film.currentTime : time.value)

export function setMarks(intervals: readonly ItemInterval[]): void {
  batch(() => {
    begun.value = undefined
    markedSpans.value = [...intervals]
  })
}

export function isMarking(): boolean {
  return begun.value !== undefined
}

export function showVideo(video: PageVideo): void {
  film?.pause()
  if (source.value?.id === video.id) return
  batch(() => {
    source.value = video
    time.value = 0
    isPlayable.value =
      video.there && video.type !== undefined && document.createElement('video').canPlayType(video.type) !== ''
  })
}

export function seek(to: number): void {
  time.value = Math.min(Math.max(0, to), duration.value)
  if (isPlayable.value && film) film.currentTime = time.value
}

function play() {
  if (!isPlayable.value) return tell('There are only stills of this video.', true)
  if (film?.paused) void film.play().catch(() => {})
  else film?.pause()
}

function beginMark(): void {
  begun.value = Math.round(now() * 100) / 100
}

function endMark() {
  const end = Math.round(now() * 100) / 100
  if (begun.value === undefined || end <= begun.value)
    return tell('An interval begins with i and ends later, with o.', true)
  if (markedSpans.value.length === 5) return tell('Five intervals are the maximum.', true)
  setMarks([...markedSpans.value, [begun.value, end]])
}

function removeMark(): void {
  setMarks(begun.value === undefined ? markedSpans.value.slice(0, -1) : markedSpans.value)
}

export const playerKeys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  ' ': play,
  ArrowLeft: ({ shiftKey }) => seek(now() - (shiftKey ? 5 : 1)),
  ArrowRight: ({ shiftKey }) => seek(now() + (shiftKey ? 5 : 1)),
  i: beginMark,
  o: endMark,
  x: removeMark,
}

export const playerKeyList = {
  title: 'Video',
  keys: [
    ['space', 'play, pause'],
    ['← →', 'back, forward 1 s; with Shift 5 s'],
    ['i o', 'an interval begins, ends here'],
    ['x', 'remove the last interval'],
  ],
} as const

function stillAt(at: number): string | undefined {
  const { id, stills, there, pictures } = source.value ?? { there: false, pictures: false }
  if (!there || !pictures || id === undefined) return undefined
  if (stills === undefined) return `still/${encodeURIComponent(id)}/${at.toFixed(1)}`
  const [nearest] = [...stills].sort(([a], [b]) => Math.abs(a - at) - Math.abs(b - at))
  return nearest?.[1]
}

export function ReviewPlayer({ clues }: { clues: readonly ItemInterval[] }) {
  const video = source.value
  const still = isPlayable.value ? undefined : stillAt(time.value)
  const follow = () => {
    if (!film) return
    time.value = film.currentTime
    isPaused.value = film.paused
  }
  return (
    <section class="watch">
      {/* biome-ignore lint/a11y/useMediaCaption: its words are the rows of the index, beside it */}
      <video
        id="video"
        playsInline
        preload="metadata"
        ref={element => {
          film = element
        }}
        hidden={!isPlayable.value}
        src={isPlayable.value ? video?.src : undefined}
        onError={() => {
          isPlayable.value = false
        }}
        onTimeUpdate={follow}
        onSeeked={follow}
        onPlay={follow}
        onPause={follow}
      />
      {still !== undefined && <img id="still" alt="still of the video" src={still} />}
      {video && !isPlayable.value && (
        <>
          <p id="unplayed">
            This browser cannot play {visibleText(video.id)}
            {!video.there && ': the file is missing'}
            {still === undefined ? '.' : ': stills instead.'}
          </p>
          {still !== undefined && <Stills of={video} />}
        </>
      )}
      <TimeLine clues={clues} />
      <p class="bar">
        <StepButton seconds={-5} />
        <StepButton seconds={-1} />
        <KeyButton id="play" keys="space" press={play}>
          {isPaused.value ? 'Play' : 'Pause'}
        </KeyButton>
        <StepButton seconds={1} />
        <StepButton seconds={5} />
        <span id="clock">
          {formatMoment(time.value)} / {formatMoment(duration.value)}
        </span>
      </p>
      <p class="bar">
        <KeyButton id="in" keys="i" press={beginMark}>
          Interval begins
        </KeyButton>
        <KeyButton id="out" keys="o" press={endMark}>
          ends
        </KeyButton>
        <span id="intervals" aria-live="polite">
          {[
            ...markedSpans.value.map(formatStamps),
            ...(begun.value === undefined ? [] : [`${formatMoment(begun.value)}–`]),
          ].join(', ')}
        </span>
      </p>
    </section>
  )
}

function StepButton({ seconds }: { seconds: number }) {
  const [way, sign] = seconds < 0 ? ['Back', '−'] : ['Forward', '+']
  return (
    <button type="button" onClick={() => seek(now() + seconds)} aria-label={`${way} ${Math.abs(seconds)} s`}>
      {`${sign}${Math.abs(seconds)}`}
    </button>
  )
}

function Stills({ of: { duration } }: { of: PageVideo }) {
  const times = Array.from({ length: 8 }, (_, at) => ((at + 0.5) * duration) / 8)
  return (
    <div id="stills">
      {times.map(at => (
        <button key={at} type="button" title={formatMoment(at)} onClick={() => seek(at)}>
          <img src={stillAt(at)} alt={formatMoment(at)} />
        </button>
      ))}
    </div>
  )
}

function TimeLine({ clues }: { clues: readonly ItemInterval[] }) {
  const share = (at: number) => `${duration.value > 0 ? (100 * at) / duration.value : 0}%`
  const bar = (kind: string, [start, end]: ItemInterval) => (
    <div key={`${kind} ${start}`} class={kind} style={{ left: share(start), width: share(end - start) }} />
  )
  const press = ({ currentTarget, clientX }: MouseEvent) => {
    const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect()
    seek((duration.value * (clientX - left)) / width)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows do the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrows do the same
    <div id="line" title="time line" onClick={press}>
      <div id="marks">
        {clues.map(clue => bar('clue', clue))}
        {markedSpans.value.map(mark => bar('own', mark))}
        {begun.value !== undefined && bar('open', [begun.value, begun.value])}
      </div>
      <div id="head" style={{ left: share(time.value) }} />
    </div>
  )
}
