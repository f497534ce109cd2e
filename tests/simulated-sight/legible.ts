import type { Box } from '../../src/core/evidence.ts'
import type { Script } from '../../src/media/render/scene.ts'
import type { TrueFrame } from './look.ts'

// How much of the picture that was sent something takes up: of a sheet of sixteen frames a sixteenth.

export function pictureShare(
  { width, height }: Pick<Box, 'width' | 'height'>,
  { cells }: Pick<TrueFrame, 'cells'>,
): number {
  return (width * height) / cells
}

const word = 4 // letters that must be made out to read a line
const letter = 0.45 // about how wide a letter is, in heights of a line

// A line is as legible as a short word of it.
export function lineShare({ scenes, width, height }: Script, { truth, cells }: TrueFrame, text: string): number {
  const size = scenes[truth.scene]?.texts.find(one => one.text === text)?.size ?? 0
  return (size * size * word * letter * height) / width / cells
}

// What of a figure shows which fact, as a share of the box around it.
export const boxShares = { self: 1, top: 0.2, trousers: 0.15, hair: 0.03, hat: 0.04, holds: 0.06, does: 0.4 } as const
