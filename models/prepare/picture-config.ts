import { z } from 'zod'
import type { Filter } from './resample.ts'

const whole = z.number().int().positive()
const Size = z.union([
  whole,
  z.object({ width: whole, height: whole }),
  z.object({ shortest_edge: whole }),
  z.object({ longest_edge: whole }),
])

// What a model's preprocessor_config.json says of how its pictures are made.
export const PictureConfig = z.looseObject({
  do_resize: z.boolean().default(true),
  size: Size.optional(),
  resample: z.number().int().min(0).max(5).default(2),
  do_center_crop: z.boolean().default(false),
  crop_size: z.union([whole, z.object({ width: whole, height: whole })]).optional(),
  do_pad: z.boolean().default(false),
  do_rescale: z.boolean().default(true),
  rescale_factor: z.number().default(1 / 255),
  do_normalize: z.boolean().default(true),
  image_mean: z.array(z.number()).length(3).default([0.5, 0.5, 0.5]),
  image_std: z.array(z.number()).length(3).default([0.5, 0.5, 0.5]),
})
export type PictureConfig = z.infer<typeof PictureConfig>

export interface PictureValues {
  data: Float32Array // channel after channel
  width: number
  height: number
}

// What a level of a channel, 0 to 255, is to the model.
export function scale(config: PictureConfig, channel: number, level: number): number {
  const value = config.do_rescale ? level * config.rescale_factor : level
  return config.do_normalize ? (value - config.image_mean[channel]!) / config.image_std[channel]! : value
}

// Pillow's numbers for its filters.
const filters: Filter[] = ['nearest', 'lanczos', 'bilinear', 'bicubic', 'box', 'hamming']

export function pillowFilter(config: Pick<PictureConfig, 'resample'>): Filter {
  return filters[config.resample]!
}

// The size that a picture is resized to before it is cropped. A bare number is a square where nothing is cropped
// afterwards, and the short edge where something is.
export function resizedTo(config: PictureConfig, width: number, height: number): { width: number; height: number } {
  const { size } = config
  if (!config.do_resize || size === undefined) return { width, height }
  if (typeof size === 'number')
    return config.do_center_crop ? byShortEdge(width, height, size) : { width: size, height: size }
  if ('shortest_edge' in size) return byShortEdge(width, height, size.shortest_edge)
  if ('longest_edge' in size) {
    const share = size.longest_edge / Math.max(width, height)
    return { width: Math.round(width * share), height: Math.round(height * share) }
  }
  return { width: size.width, height: size.height }
}

export function croppedTo(config: PictureConfig): { width: number; height: number } | undefined {
  if (!config.do_center_crop || config.crop_size === undefined) return undefined
  const size = config.crop_size
  return typeof size === 'number' ? { width: size, height: size } : size
}

function byShortEdge(width: number, height: number, edge: number): { width: number; height: number } {
  return width <= height
    ? { width: edge, height: Math.trunc((edge * height) / width) }
    : { width: Math.trunc((edge * width) / height), height: edge }
}
