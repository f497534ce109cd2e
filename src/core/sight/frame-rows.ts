import type { ContentPart } from '../chat.ts'
import type { Box, Evidence } from '../evidence.ts'
import { formatMoment, type Span } from '../time.ts'
import type { ToolContext } from '../tool.ts'
import type { Frame } from '../video.ts'
import { estimatePictureTokens } from './room.ts'
import { framesAt } from './view-frames.ts'

export const openingWidth = 512
const longestFrameSpan = 2 // seconds that a frame speaks for at most
const sameFrame = 3 // mean difference of a channel, of 255, below which two frames look the same
const frameText = 'frame at '

export interface StoredFrame {
  jpeg: Uint8Array
  tokens: number // of a prompt, about
}

// The JPEG of each frame row of a conversation, by its width; a run that is resumed decodes them again.
export interface FrameStore {
  get(row: Evidence, width: number): StoredFrame | undefined
  put(context: ToolContext, row: Evidence, frame: Frame, width: number): Promise<void>
  load(context: ToolContext, rows: readonly Evidence[], width: number): Promise<void>
}

export function openFrameStore(): FrameStore {
  const stored = new Map<string, StoredFrame>()
  const keyOf = (row: Evidence, width: number) => `${row.id} ${width}`
  const put: FrameStore['put'] = async (context, row, frame, width) => {
    const jpeg = await context.jpeg?.(frame)
    if (jpeg) stored.set(keyOf(row, width), { jpeg, tokens: estimatePictureTokens(frame.width, frame.height) })
  }
  return {
    get: (row, width) => stored.get(keyOf(row, width)),
    put,
    async load(context, rows, width) {
      const missing = rows.filter(row => row.frame !== undefined && !stored.has(keyOf(row, width)))
      for (const [box, group] of byBox(missing)) {
        const times = group.map(row => row.frame ?? 0)
        const frames = await framesAt(context, times, width, { box })
        for (const row of group) {
          const frame = frames.find(one => Math.abs(one.time - (row.frame ?? 0)) < 0.02)
          if (frame) await put(context, row, frame, width)
        }
      }
    },
  }
}

// As many frames as motion asks for: 8 a second below 3 s, 2 a second to half a minute, then one, at most `max`.
export function framesFor(span: Span, max: number): number {
  const seconds = span.end - span.start
  const perSecond = seconds <= 3 ? 8 : seconds <= 32 ? 2 : 1
  return Math.max(1, Math.min(max, Math.ceil(seconds * perSecond) + 1))
}

interface FrameAbout {
  distance: number // seconds to the next frame
  unchanged?: number // until when the picture looks the same, as far as it was sampled
  box?: Box
}

// The row of a frame: it speaks for the time until the next one.
export function frameRow(context: ToolContext, frame: Frame, { distance, unchanged, box }: FrameAbout): Evidence {
  const { duration } = context.index.coverage
  const end = Math.max(frame.time, Math.min(duration, frame.time + Math.min(distance, longestFrameSpan)))
  const still = unchanged === undefined ? '' : `, unchanged until ${formatMoment(unchanged)}`
  const cutNote = box ? `, cut to ${cutText(box)}` : ''
  const text = `${frameText}${formatMoment(frame.time)}${still}${cutNote}`
  const by = context.index.coverage.picture.by ?? 'decode/frames'
  return context.note(
    { span: { start: frame.time, end }, track: 'picture', text, frame: frame.time, ...(box && { box }) },
    by,
  )
}

export function isFrame(row: Evidence): boolean {
  return row.track === 'picture' && row.frame !== undefined && row.text.startsWith(frameText)
}

// "0:19.4, unchanged until 0:21.9": what stands before the picture of a frame, beside its id.
export function frameLabel(row: Evidence): string {
  return row.text.slice(frameText.length)
}

// A frame with its id and time before it.
export function framePart(store: FrameStore | undefined, row: Evidence, width: number): ContentPart[] {
  const frame = store?.get(row, width)
  const label: ContentPart = { type: 'text', text: `\n${row.id} ${frameLabel(row)}:` }
  return frame
    ? [label, { type: 'image', jpeg: frame.jpeg, time: row.frame }]
    : [label, { type: 'text', text: ' (cannot be shown)' }]
}

interface FrameWish {
  times: readonly number[]
  span: Span // that they are of
  width(frames: number): number // pixels of each of so many
  near?: number
  box?: Box
}

// Shows frames to the model itself: each is a row that can be cited, and counts against the budget, also of other looks of the round.
export async function viewMoments(context: ToolContext, store: FrameStore, wish: FrameWish): Promise<Evidence[]> {
  const { times, span, width, near, box } = wish
  context.spend({ frames: times.length })
  let shownCount = 0
  try {
    const frames = await framesAt(context, times, width(times.length), { box, near })
    const distance = (span.end - span.start) / Math.max(1, frames.length)
    const rows = frames.map(frame => frameRow(context, frame, { distance, box }))
    await Promise.all(frames.map((frame, i) => store.put(context, rows[i] as Evidence, frame, width(rows.length))))
    shownCount = rows.length
    return rows
  } finally {
    context.spend({ frames: shownCount - times.length })
  }
}

function cutText({ x, y, width, height }: Box): string {
  const percent = (part: number) => Math.round(part * 100)
  return `${percent(x)}-${percent(x + width)} % of the width, ${percent(y)}-${percent(y + height)} % of the height`
}

// Frames with those left out that look like the one shown before them, and until when each stays as it is.
export function changedFrames(frames: readonly Frame[]): { frame: Frame; unchanged?: number }[] {
  const changed: { frame: Frame; unchanged?: number }[] = []
  for (const [i, frame] of frames.entries()) {
    const before = changed.at(-1)
    if (before && i < frames.length - 1 && difference(before.frame, frame) < sameFrame) before.unchanged = frame.time
    else changed.push({ frame })
  }
  return changed
}

// The largest mean difference of a cell of the picture, so that something small that moves counts.
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
