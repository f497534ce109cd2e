import { z } from 'zod'
import type { Box } from '../../src/core/evidence.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'

// What a vision-language model measures places in.
export const BoxUnit = z.enum(['thousandths', 'pixels'])
export type BoxUnit = z.infer<typeof BoxUnit>

// Four numbers of a model as a box in shares of the frame that it was shown; undefined where they are no box.
export function markedBox(corners: readonly number[], frame: Pick<Frame, 'width' | 'height'>, unit: BoxUnit) {
  const [across, down] = unit === 'pixels' ? [frame.width, frame.height] : [1000, 1000]
  const [left, top, right, bottom] = corners.map((value, i) =>
    Math.min(1, Math.max(0, value / (i % 2 === 0 ? across : down))),
  )
  const box: Box = { x: left, y: top, width: right - left, height: bottom - top }
  return box.width > 0 && box.height > 0 ? box : undefined
}

// How a model is told to write a box.
export function boxWords(unit: BoxUnit): string {
  return `[left, top, right, bottom] in ${unit === 'pixels' ? 'pixels' : 'thousandths of the picture'}`
}

// No side longer than that many pixels.
export async function shrunk(frame: Frame, longest: number): Promise<Frame> {
  const scale = longest / Math.max(frame.width, frame.height)
  if (scale >= 1) return frame
  return resizeFrame(frame, Math.max(1, Math.round(frame.width * scale)), Math.max(1, Math.round(frame.height * scale)))
}
