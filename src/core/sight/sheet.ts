import { formatTime, type Span } from '../time.ts'
import { columnsFor, type Picture } from './picture.ts'

export const cellsOfSheet = 16 // at most

interface SheetWish {
  span: Span
  times: readonly number[]
  from: Picture['from']
  width: number // of one frame
  row: string
}

// A contact sheet of single frames, each with its time.
export function sheetOf({ span, times, from, width, row }: SheetWish): Picture {
  const cells = times.map(time => ({ times: [time], label: formatTime(time) }))
  return { span, from, cells, columns: columnsFor(cells.length), width, row }
}

// What the row of some frames says. When, and nothing else: what they show is for those who look at them.
export function framesText(times: readonly number[]): string {
  return `picture at ${times.map(formatTime).join(', ')}`
}

const fewest = 16 // frames, however short the video is
const secondsEach = 10 // of video a frame
const share = 1 / 4 // of the frames that may still be shown

// How many frames the sheets of a whole video of that length hold, at most.
export function skimFrames(duration: number, most: number, left: number): number {
  const wanted = Math.min(Math.max(fewest, Math.round(duration / secondsEach)), most)
  return Math.max(0, Math.min(wanted, Math.floor(left * share)))
}
