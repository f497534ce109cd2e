import { clamp } from '../core/basics/numbers.ts'
import type { Box } from '../core/evidence.ts'
import { memoryBound } from '../core/machine/memory.ts'
import type { Frame } from '../core/video.ts'
import { inputLimits } from './ffmpeg/input-options.ts'

// Pixels of a JPEG, PNG, TIFF, WebP or GIF picture, upright, on white where it is see-through.
export async function decodeImage(bytes: Uint8Array, time = 0): Promise<Frame> {
  const sharp = await loadSharp()
  const { data, info } = await sharp(bytes, { limitInputPixels: inputLimits.pixels })
    .rotate()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { time, width: info.width, height: info.height, rgb: new Uint8Array(data) }
}

export async function encodeJpeg(frame: Frame, quality = 85): Promise<Uint8Array> {
  return new Uint8Array(await (await pixels(frame)).jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer())
}

// To exactly that size; the shape changes with it.
export async function resizeFrame(frame: Frame, width: number, height: number): Promise<Frame> {
  if (frame.width === width && frame.height === height) return frame
  const resized = (await pixels(frame)).resize(width, height, { fit: 'fill' })
  return { time: frame.time, width, height, rgb: new Uint8Array(await resized.raw().toBuffer()) }
}

// The part of a frame that a box covers, at least one pixel; what is outside the frame is clipped.
export function cropFrame(frame: Frame, box: Box): Frame {
  const x = clamp(Math.floor(box.x * frame.width), 0, frame.width - 1)
  const top = clamp(Math.floor(box.y * frame.height), 0, frame.height - 1)
  const width = clamp(Math.ceil((box.x + box.width) * frame.width), x + 1, frame.width) - x
  const height = clamp(Math.ceil((box.y + box.height) * frame.height), top + 1, frame.height) - top
  const rgb = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * frame.width + x) * 3
    rgb.set(frame.rgb.subarray(from, from + width * 3), row * width * 3)
  }
  return { time: frame.time, width, height, rgb }
}

async function pixels({ rgb, width, height }: Frame) {
  const sharp = await loadSharp()
  return sharp(rgb, { raw: { width, height, channels: 3 } })
}

async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false) // no picture comes twice
  if (memoryBound()) sharp.concurrency(1)
  return sharp
}
