import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { type Column, firstAfter, type LaneName } from './columns.ts'
import { cover, type Window } from './cover.ts'
import type { LaneShape, TimelineLane } from './lane-list.ts'
import type { Palette } from './palette.ts'

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400]

// Moments for the axis, about one in ninety pixels.
export function timeTicks({ from, to }: Window, width: number): { time: number; label: string }[] {
  const step = steps.find(seconds => (seconds / (to - from)) * width >= 90) ?? 28_800
  const marks: { time: number; label: string }[] = []
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) marks.push({ time, label: formatTime(time) })
  return marks
}

interface Scene {
  lanes: readonly TimelineLane[]
  over?: readonly TimelineLane[] // drawn over the first one, if only one fits
  window: Window
  time: number
  focus?: LaneName // the lane that keys move along, while the lanes have the focus
  marked?: Span
  lit?: { lane: LaneName; span: Span }
  hover?: number // seconds
  palette: Palette
}

interface Measures {
  width: number // pixels of the canvas
  axis: number
  lane: number
  ratio: number // pixels of the canvas for one of the page
}

type Context = CanvasRenderingContext2D

// All of it, again for each frame: 100,000 rows are a millisecond or two.
export function drawLanes(context: Context, scene: Scene, measures: Measures): void {
  const { width, axis, lane: height, ratio } = measures
  const { palette, lanes } = scene
  const x = (seconds: number) => ((seconds - scene.window.from) / (scene.window.to - scene.window.from)) * width
  context.fillStyle = palette.ground
  context.fillRect(0, 0, width, axis + lanes.length * height)
  drawAxis(context, scene, measures)
  if (scene.marked) {
    context.fillStyle = palette.band
    const x0 = x(scene.marked.start)
    context.fillRect(x0, axis, Math.max(2 * ratio, x(scene.marked.end) - x0), lanes.length * height)
  }
  const scratch = new Float32Array(width)
  for (const [at, lane] of lanes.entries()) {
    const top = axis + at * height
    context.fillStyle = palette.line
    context.fillRect(0, top, width, 1)
    if (scene.focus === lane.name) {
      context.fillStyle = palette.accent
      context.fillRect(0, top + 1, 3 * ratio, height - 1)
    }
    drawGaps(context, lane, { x, top, height, width }, palette, ratio)
    for (const { name, shape, column: all } of at === 0 ? [lane, ...(scene.over ?? [])] : [lane]) {
      const column = all?.drawn ?? all
      if (!column) continue
      const area = { top: top + Math.round(3 * ratio), height: height - Math.round(5 * ratio), ratio, x }
      context.fillStyle = palette.lanes[name]
      shapes[shape](context, column, scene.window, scratch, area)
      if (parted.includes(shape)) partRows(context, column, scene.window, width, area, palette.ground)
    }
    if (scene.lit?.lane === lane.name) outline(context, x, scene.lit.span, top, height, palette.ink, ratio)
  }
  if (scene.hover !== undefined) line(context, x(scene.hover), palette.dim, measures, lanes.length, 1)
  line(context, x(scene.time), palette.accent, measures, lanes.length, 2 * ratio)
}

function drawAxis(context: Context, { window, palette }: Scene, { width, axis, ratio }: Measures): void {
  context.font = `${Math.round(11 * ratio)}px system-ui, sans-serif`
  context.textBaseline = 'middle'
  for (const { time, label } of timeTicks(window, width / ratio)) {
    const at = ((time - window.from) / (window.to - window.from)) * width
    context.fillStyle = palette.line
    context.fillRect(Math.round(at), axis - 5 * ratio, 1, 5 * ratio)
    context.fillStyle = palette.dim
    const wide = context.measureText(label).width
    context.fillText(label, Math.min(Math.max(0, at - wide / 2), width - wide), axis / 2 - ratio)
  }
}

function line(context: Context, at: number, colour: string, measures: Measures, lanes: number, thick: number): void {
  if (at < -thick || at > measures.width + thick) return
  context.fillStyle = colour
  const top = measures.axis - 5 * measures.ratio
  context.fillRect(Math.round(at - thick / 2), top, thick, lanes * measures.lane + 5 * measures.ratio)
}

function outline(
  context: Context,
  x: (seconds: number) => number,
  { start, end }: Span,
  top: number,
  height: number,
  colour: string,
  ratio: number,
): void {
  context.strokeStyle = colour
  context.lineWidth = 2 * ratio
  const x0 = x(start)
  context.strokeRect(x0 - ratio, top + 2 * ratio, Math.max(5 * ratio, x(end) - x0) + 2 * ratio, height - 3 * ratio)
}

const parted: readonly LaneShape[] = ['bars', 'blocks', 'waves', 'stripes']

// Where rows are wide enough, a line of the ground is left between those that follow each other.
function partRows(
  context: Context,
  { starts }: Column,
  { from, to }: Window,
  width: number,
  area: Area,
  ground: string,
): void {
  const first = firstAfter(starts, from * 1000)
  const last = firstAfter(starts, to * 1000)
  if (last - first > width / (8 * area.ratio)) return
  context.fillStyle = ground
  for (let row = first; row < last; row++)
    context.fillRect(Math.round(area.x((starts[row] ?? 0) / 1000)) - 1, area.top, Math.max(1, area.ratio), area.height)
}

interface LaneArea {
  x: (seconds: number) => number
  top: number
  height: number
  width: number
}

// Hatched: what could not be looked at.
function drawGaps(context: Context, { gaps }: TimelineLane, place: LaneArea, palette: Palette, ratio: number): void {
  if (gaps.length === 0) return
  context.save()
  context.beginPath()
  for (const { start, end } of gaps) {
    const x0 = place.x(start)
    context.rect(x0, place.top + 1, Math.max(ratio, place.x(end) - x0), place.height - 1)
  }
  context.clip()
  context.strokeStyle = palette.dim
  context.globalAlpha = 0.55
  context.lineWidth = ratio
  context.beginPath()
  for (let x0 = -place.height; x0 < place.width; x0 += 6 * ratio) {
    context.moveTo(x0, place.top + place.height)
    context.lineTo(x0 + place.height, place.top)
  }
  context.stroke()
  context.restore()
}

interface Area {
  top: number
  height: number
  ratio: number
  x: (seconds: number) => number
}
type Draw = (context: Context, column: Column, window: Window, scratch: Float32Array, area: Area) => void

const levels = 8

// Neighbours of equal height are one rectangle.
function runs(scratch: Float32Array, each: (x: number, width: number, level: number) => void): void {
  let from = 0
  let level = 0
  for (let x = 0; x <= scratch.length; x++) {
    const share = scratch[x] ?? 0
    const next = x === scratch.length || share <= 0 ? 0 : Math.ceil(share * levels)
    if (next === level) continue
    if (level > 0) each(from, x - from, level / levels)
    from = x
    level = next
  }
}

function covered(place: (x: number, width: number, level: number, area: Area, context: Context) => void): Draw {
  return (context, column, window, scratch, area) => {
    cover(column, window, scratch)
    runs(scratch, (x, width, level) => place(x, width, level, area, context))
  }
}

const shapes: Record<LaneShape, Draw> = {
  ticks(context, { starts }, { from, to }, scratch, { top, height, ratio }) {
    const scale = scratch.length / (to - from)
    const thick = Math.max(1, Math.round(ratio))
    let drawn = -1
    for (let row = Math.max(0, firstAfter(starts, from * 1000) - 1); row < starts.length; row++) {
      const x = Math.round(((starts[row] ?? 0) / 1000 - from) * scale)
      if (x > scratch.length) break
      if (x === drawn || x < 0) continue
      context.fillRect(x, top, thick, height)
      drawn = x
    }
  },
  bars: covered((x, width, level, { top, height }, context) => {
    const tall = Math.max(2, Math.round(height * (0.3 + 0.7 * level)))
    context.fillRect(x, top + height - tall, width, tall)
  }),
  blocks: covered((x, width, level, { top, height, ratio }, context) => {
    context.globalAlpha = 0.25 + 0.25 * level
    context.fillRect(x, top, width, height)
    context.globalAlpha = 1
    const edge = Math.round(2 * ratio)
    context.fillRect(x, top, width, edge)
    context.fillRect(x, top + height - edge, width, edge)
  }),
  waves: covered((x, width, level, { top, height }, context) => {
    const tall = Math.max(2, Math.round(height * (0.25 + 0.75 * level)))
    context.fillRect(x, top + Math.round((height - tall) / 2), width, tall)
  }),
  stripes: covered((x, width, level, { top, height, ratio }, context) => {
    const step = Math.round(4 * ratio)
    const tall = Math.round(height * (0.5 + 0.5 * level))
    for (let at = Math.ceil(x / step) * step; at < x + width || at === Math.ceil(x / step) * step; at += step)
      context.fillRect(Math.max(x, Math.min(at, x + width - 1)), top, Math.round(2 * ratio), tall)
  }),
  boxes: covered((x, width, _, { top, height, ratio }, context) => {
    const wide = Math.max(width, 3 * ratio)
    context.globalAlpha = 0.3
    context.fillRect(x, top, wide, height)
    context.globalAlpha = 1
    context.fillRect(x, top, Math.min(wide, ratio), height)
    context.fillRect(x + wide - ratio, top, ratio, height)
  }),
  pins(context, { starts, ends }, _, scratch, { top, height, ratio, x }) {
    const thick = Math.max(1, Math.round(2 * ratio))
    for (let row = 0; row < starts.length; row++) {
      const x0 = x((starts[row] ?? 0) / 1000)
      const right = x((ends[row] ?? 0) / 1000)
      if (right < 0 || x0 > scratch.length) continue
      context.fillRect(x0, top, thick, height)
      context.fillRect(x0, top + height - thick, right - x0, thick)
    }
  },
  diamonds(context, { starts, ends }, _, __, { top, height, ratio, x }) {
    const half = Math.min(height / 2, 9 * ratio)
    const middle = top + height / 2
    context.beginPath()
    for (let row = 0; row < starts.length; row++) {
      const x0 = x((starts[row] ?? 0) / 1000)
      const right = x((ends[row] ?? 0) / 1000)
      context.rect(x0, middle - 1, Math.max(0, right - x0), 2)
      context.moveTo(x0, middle - half)
      context.lineTo(x0 + half, middle)
      context.lineTo(x0, middle + half)
      context.lineTo(x0 - half, middle)
      context.closePath()
    }
    context.fill()
  },
}
