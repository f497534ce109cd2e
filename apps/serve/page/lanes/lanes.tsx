import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { visibleLine } from '../../../../src/core/words/visible-text.ts'
import type { PlayerClock } from '../player/clock.ts'
import { type LaneName, rowAt } from './columns.ts'
import type { LaneControl } from './control.ts'
import type { Window } from './cover.ts'
import { drawLanes } from './draw.ts'
import type { TimelineLane } from './lane-list.ts'
import { type Palette, readPalette } from './palette.ts'
import { type Hover, pointing } from './pointing.ts'

export interface LanesProps {
  clock: PlayerClock
  control: LaneControl
  lit: ReadonlySignal<{ lane: LaneName; span: Span } | undefined>
  describe(lane: LaneName, row: number): Promise<string | undefined>
  folded: ReadonlySignal<boolean> // one strip, if there is no room
  busy: boolean
}

const axis = 20
const tall = 22
const strip = 36

// All lanes are one canvas and, for keys and screen readers, one slider.
export function Lanes({ clock, control, lit, describe, folded, busy }: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const hover = useSignal<Hover | undefined>(undefined)
  const focused = useSignal(false)
  const size = useSize(canvas)
  const palette = usePalette(canvas)
  const visibleLanes = useComputed(() => {
    const lanes = control.lanes.value
    return folded.value ? lanes.filter(({ name }) => name === control.lane.value) : lanes
  })
  const height = axis + (folded.value ? strip : tall * visibleLanes.value.length)
  const measures = { axis, lane: folded.value ? strip : tall }

  useDrawing(canvas, () => {
    if (!palette.value || size.value.width === 0) return undefined
    const ratio = size.value.ratio
    const over = folded.value ? control.lanes.value.filter(({ name }) => name === 'cited') : []
    return {
      scene: {
        ...{
          lanes: visibleLanes.value,
          over,
          window: control.window.value,
          time: clock.time.value,
          palette: palette.value,
        },
        ...(focused.value && { focus: control.lane.value }),
        marked: clock.marked.value,
        lit: lit.value,
        hover: hover.value?.time,
      },
      measures: {
        width: Math.round(size.value.width * ratio),
        ...{ axis: Math.round(axis * ratio), lane: Math.round((folded.value ? strip : tall) * ratio), ratio },
      },
    }
  })

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    return pointing(element, {
      at: place => hitAt(place, { width: size.peek().width, ...measures }, control.window.peek(), visibleLanes.peek()),
      length: () => control.window.peek().to - control.window.peek().from,
      zoom: control.zoom,
      pan: control.pan,
      hover,
      press({ time, lane }) {
        if (lane) control.lane.value = lane.name
        const mark = lane?.column && lane.name === 'cited' ? rowAt(lane.column, time * 1000, true) : undefined
        const start = mark === undefined ? undefined : (lane?.column?.starts[mark] ?? 0) / 1000
        clock.seek(start ?? time)
      },
    })
  }, [measures.lane])

  const announcement = useSaid(clock, control, describe)
  return (
    <div class="lane-canvas">
      <canvas
        ref={canvas}
        style={{ height: `${height}px` }}
        role="slider"
        tabIndex={0}
        aria-label="Time and lanes"
        aria-valuemin={0}
        aria-valuemax={Math.round(clock.duration)}
        aria-valuenow={Math.round(announcement.value.time)}
        aria-valuetext={announcement.value.text}
        aria-busy={busy}
        onFocus={() => {
          focused.value = true
        }}
        onBlur={() => {
          focused.value = false
        }}
        onKeyDown={event => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          control.goLane(event.key === 'ArrowUp' ? -1 : 1)
        }}
      />
      <HoverText hover={hover} describe={describe} width={size.value.width} />
    </div>
  )
}

// Time, lane and row, as they are when something was sought or chosen: not each tick of what plays.
function useSaid(clock: PlayerClock, control: LaneControl, describe: LanesProps['describe']) {
  const announcement = useSignal({ time: 0, text: '0:00' })
  useSignalEffect(() => {
    clock.sought.value
    clock.playing.value
    const lane = control.lanes.value.find(({ name }) => name === control.lane.value)
    const time = clock.time.peek()
    const row = lane?.column && rowAt(lane.column, Math.round(time * 1000))
    const head = `${formatTime(time)}, ${lane?.title ?? control.lane.value}`
    announcement.value = { time, text: row === undefined ? `${head}: nothing` : head }
    if (!lane || row === undefined) return
    let late = false
    describe(lane.name, row).then(text => {
      if (!late && text !== undefined)
        announcement.value = { time, text: `${head}: ${visibleLine(text).slice(0, 200)}` }
    })
    return () => {
      late = true
    }
  })
  return announcement
}

function HoverText({
  hover,
  describe,
  width,
}: {
  hover: Signal<Hover | undefined>
  describe: LanesProps['describe']
  width: number
}) {
  const text = useSignal<string | undefined>(undefined)
  useSignalEffect(() => {
    text.value = undefined
    const at = hover.value
    const row = at?.lane?.column && rowAt(at.lane.column, Math.round(at.time * 1000))
    if (!at?.lane || row === undefined) return
    const { name } = at.lane
    let late = false
    // A pointer on its way asks for nothing.
    const timer = setTimeout(async () => {
      const description = await describe(name, row)
      if (!late) text.value = description
    }, 80)
    return () => {
      late = true
      clearTimeout(timer)
    }
  })
  const at = hover.value
  if (!at) return null
  const offset = Math.min(Math.max(0, at.x - 110), Math.max(0, width - 220))
  return (
    <div class="hover-text" style={{ left: `${offset}px` }} aria-hidden="true">
      <b>{formatTime(at.time)}</b>
      {at.lane && ` ${at.lane.title}${at.lane.state ? ` (${at.lane.state})` : ''}`}
      {text.value !== undefined && <bdi class="hover-row">{visibleLine(text.value)}</bdi>}
    </div>
  )
}

type Drawing = Parameters<typeof drawLanes>

// Draws at most once a frame, when something that `scene` reads has changed.
function useDrawing(
  canvas: { current: HTMLCanvasElement | null },
  scene: () => { scene: Drawing[1]; measures: Drawing[2] } | undefined,
): void {
  const frame = useRef(0)
  useSignalEffect(() => {
    const next = scene()
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current
      const context = element?.getContext('2d', { alpha: false })
      if (!next || !element || !context) return
      const { width, axis, lane } = next.measures
      const height = axis + next.scene.lanes.length * lane
      if (element.width !== width || element.height !== height) Object.assign(element, { width, height })
      drawLanes(context, next.scene, next.measures)
    })
  })
}

function useSize(canvas: { current: HTMLCanvasElement | null }) {
  const size = useSignal({ width: 0, ratio: 1 })
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const measure = () => {
      size.value = { width: element.clientWidth, ratio: devicePixelRatio }
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [canvas, size])
  return size
}

function usePalette(canvas: { current: HTMLCanvasElement | null }) {
  const palette = useSignal<Palette | undefined>(undefined)
  useEffect(() => {
    const host = canvas.current?.parentElement
    if (!host) return
    const read = () => {
      palette.value = readPalette(host)
    }
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', read)
    read()
    return () => dark.removeEventListener('change', read)
  }, [canvas, palette])
  return palette
}

// What lies below a pointer, in pixels of the page.
export function hitAt(
  { x, y }: { x: number; y: number },
  { width, axis, lane: height }: { width: number; axis: number; lane: number },
  window: Window,
  lanes: readonly TimelineLane[],
): { time: number; lane: TimelineLane | undefined } {
  const share = Math.min(Math.max(0, x / width), 1)
  const at = Math.floor((y - axis) / height)
  return { time: window.from + share * (window.to - window.from), lane: y < axis ? undefined : lanes[at] }
}
