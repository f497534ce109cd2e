import type { Evidence } from '../../src/core/evidence.ts'
import type { Picture } from '../../src/core/sight/picture.ts'
import { cellWidth } from '../../src/core/sight/room.ts'
import { spreadStills } from '../../src/core/sight/spread.ts'
import { clampSpan, formatTime, type Span, spanLength } from '../../src/core/time.ts'
import type { VideoIndex } from '../../src/core/video.ts'
import { nearestStill } from '../nearest-still.ts'

const longest = 20 // seconds of a window
const shortest = 2
const columns = 3

// What is shown of a candidate: a few kept frames of the seconds around it.
export interface Window {
  row: Evidence
  times: number[]
}

// A window has as many frames as it may, and one at least where a frame was kept at all.
export function windowOf(index: VideoIndex, row: Evidence, frames: number): Window[] {
  const span = around(row, index.coverage.duration)
  const within = spreadStills(index, span, frames).map(still => still.time)
  const nearest = within.length > 0 ? undefined : nearestStill(index.stills, middleOf(row))
  const times = nearest === undefined ? within : [index.stills[nearest]?.time ?? 0]
  return times.length > 0 ? [{ row, times }] : []
}

function around(row: Evidence, duration: number): Span {
  const length = Math.min(longest, Math.max(shortest, spanLength(row.span)))
  const middle = spanLength(row.span) > longest ? middleOf(row) : (row.span.start + row.span.end) / 2
  const { start, end } = clampSpan({ start: Math.max(0, middle - length / 2), end: middle + length / 2 }, duration)
  return { start, end }
}

function middleOf({ frame, span }: Evidence): number {
  return frame ?? (span.start + span.end) / 2
}

// Numbered cells, each a strip of its window's frames, as wide as the model looks at.
export function sheetOfWindows(windows: readonly Window[], model: string): Picture {
  const strip = Math.max(...windows.map(({ times }) => times.length))
  const times = windows.flatMap(one => one.times)
  return {
    span: { start: Math.min(...times), end: Math.max(...times) },
    from: 'index',
    cells: windows.map(({ times }, i) => ({ times, label: `#${i + 1} ${formatTime(times[0] ?? 0)}` })),
    columns,
    width: Math.floor((4 * cellWidth(model)) / (columns * strip)),
  }
}
