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
