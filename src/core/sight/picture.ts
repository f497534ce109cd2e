import { z } from 'zod'
import { Span } from '../time.ts'

// A picture that a model is shown, as data. It is painted from this wherever it is needed, so no state or record holds its pixels.
export const Picture = z.object({
  span: Span, // that it stands for
  from: z.enum(['index', 'file']), // frames that the index kept, or decoded from the file at these times
  cells: z.array(z.object({ times: z.array(z.number()).min(1), label: z.string() })).min(1), // of several times: a strip
  columns: z.number().int().positive(),
  width: z.number().int().positive(), // of one frame, in pixels
  row: z.string().optional(), // the evidence row that stands for it
})
export type Picture = z.infer<typeof Picture>

// When its frames are, in reading order.
export function timesIn({ cells }: Picture): number[] {
  return cells.flatMap(cell => cell.times)
}

export function framesIn(pictures: readonly Picture[]): number {
  return pictures.reduce((sum, picture) => sum + timesIn(picture).length, 0)
}
