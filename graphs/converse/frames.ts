import type { Box, Evidence } from '../../src/core/evidence.ts'
import { decodeFrames } from '../../src/core/sight/view-frames.ts'
import { formatMoment, type Span } from '../../src/core/time.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import type { Frame } from '../../src/core/video.ts'

export const openingWidth = 512
export const viewWidth = 768
const longestFrameSpan = 2 // seconds that a frame speaks for at most
const sameFrame = 3 // mean difference of a channel, of 255, below which two frames look the same

// The JPEG of each frame row of a conversation; a run that is resumed decodes them again.
export interface FrameStore {
  jpegOf(row: Evidence): Uint8Array | undefined
  load(context: ToolContext, rows: readonly Evidence[], width: number): Promise<void>
  put(context: ToolContext, row: Evidence, frame: Frame): Promise<void>
}

export function openFrameStore(): FrameStore {
  const jpegs = new Map<string, Uint8Array>()
  const put = async (context: ToolContext, row: Evidence, frame: Frame) => {
    const jpeg = await context.jpeg?.(frame)
    if (jpeg) jpegs.set(row.id, jpeg)
  }
  return {
    jpegOf: row => jpegs.get(row.id),
    put,
    async load(context, rows, width) {
      const missing = rows.filter(row => row.frame !== undefined && !jpegs.has(row.id))
      for (const [box, group] of byBox(missing)) {
        const times = group.map(row => row.frame ?? 0)
        const frames = await framesAt(context, times, width, box)
        for (const row of group) {
          const frame = frames.find(one => Math.abs(one.time - (row.frame ?? 0)) < 0.02)
          if (frame) await put(context, row, frame)
        }
      }
    },
  }
}

// Frames at the moments, each once, in time order.
export async function framesAt(
  context: ToolContext,
  times: readonly number[],
  width: number,
  box?: Box,
): Promise<Frame[]> {
  if (times.length === 0) return []
  const { frames } = await decodeFrames(context, times, { width, region: box })
  return [...new Map(frames.map(frame => [frame.time, frame])).values()].sort((a, b) => a.time - b.time)
}

// As many frames as motion asks for: 8 a second below 3 s, 2 a second to half a minute, then one, at most `max`.
export function framesFor(span: Span, max: number): number {
  const seconds = span.end - span.start
  const perSecond = seconds <= 3 ? 8 : seconds <= 32 ? 2 : 1
  return Math.max(1, Math.min(max, Math.ceil(seconds * perSecond) + 1))
}

// The row of a frame: it speaks for the time until the next one.
export function frameRow(context: ToolContext, frame: Frame, distance: number, box?: Box): Evidence {
  const { duration } = context.index.coverage
  const end = Math.max(frame.time, Math.min(duration, frame.time + Math.min(distance, longestFrameSpan)))
  const where = box ? `, cut to ${Math.round(box.width * 100)} % of its width` : ''
  const text = `frame at ${formatMoment(frame.time)}${where}`
  const by = context.index.coverage.picture.by ?? 'decode/frames'
  return context.note(
    { span: { start: frame.time, end }, track: 'picture', text, frame: frame.time, ...(box && { box }) },
    by,
  )
}

// Frames with those left out that look like the one shown before them.
export function changedFrames(frames: readonly Frame[]): { shown: Frame[]; unchanged: Span[] } {
  const shown: Frame[] = []
  const unchanged: Span[] = []
  let still: Span | undefined
  for (const [i, frame] of frames.entries()) {
    const before = shown.at(-1)
    if (before && i < frames.length - 1 && difference(before, frame) < sameFrame) {
      still = { start: still?.start ?? before.time, end: frame.time }
      continue
    }
    if (still) unchanged.push(still)
    still = undefined
    shown.push(frame)
  }
  return { shown, unchanged }
}

// The largest mean difference of a sixteenth of the picture, so that something small that moves counts.
function difference(a: Frame, b: Frame): number {
  if (a.width !== b.width || a.height !== b.height) return Number.POSITIVE_INFINITY
  const cells = 12
  const sums = new Float64Array(cells * cells)
  const counts = new Float64Array(cells * cells)
  for (let y = 0; y < a.height; y += 2)
    for (let x = 0; x < a.width; x += 2) {
      const cell = Math.floor((y * cells) / a.height) * cells + Math.floor((x * cells) / a.width)
      const at = (y * a.width + x) * 3
      for (let channel = 0; channel < 3; channel++)
        sums[cell] = (sums[cell] ?? 0) + Math.abs((a.rgb[at + channel] ?? 0) - (b.rgb[at + channel] ?? 0))
      counts[cell] = (counts[cell] ?? 0) + 3
    }
  return Math.max(...sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 1)))
}

function byBox(rows: readonly Evidence[]): [Box | undefined, Evidence[]][] {
  const groups = new Map<string, [Box | undefined, Evidence[]]>()
  for (const row of rows) {
    const key = JSON.stringify(row.box ?? null)
    const group = groups.get(key) ?? [row.box, []]
    group[1].push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}
