import type { Picture } from '../../core/sight/picture.ts'
import type { Frame } from '../../core/video.ts'
import { encodeJpeg, resizeFrame, scaledImage } from '../image.ts'
import { composeSheet, type SheetCell } from './compose.ts'

export interface FrameSource {
  still(time: number): Promise<Uint8Array> // the JPEG of the frame that the index kept at that time
  frames(times: number[], width: number): Promise<Frame[]> // from the file
}

// A picture from its data: the same data of the same video give the same bytes.
export async function paintPicture({ cells, columns, width, from }: Picture, source: FrameSource): Promise<Uint8Array> {
  const times = cells.flatMap(cell => cell.times)
  const found = from === 'file' ? await source.frames(times, width) : await kept(times, width, source)
  const frames = await alike(found)
  let at = 0
  const filled = cells.map(({ times, label }): SheetCell => {
    const mine = frames.slice(at, at + times.length)
    at += times.length
    return { frames: mine, label }
  })
  return encodeJpeg(composeSheet(filled, columns))
}

async function kept(times: readonly number[], width: number, source: FrameSource): Promise<Frame[]> {
  const frames: Frame[] = []
  for (const time of times) frames.push(await scaledImage(await source.still(time), width, time))
  return frames
}

// All of the size of the first: rounding may differ by a pixel, and a file may change its size on the way.
async function alike(frames: readonly Frame[]): Promise<Frame[]> {
  const [first] = frames
  return first ? Promise.all(frames.map(frame => resizeFrame(frame, first.width, first.height))) : []
}
