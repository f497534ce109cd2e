import type { Box } from '../../src/core/evidence.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import type { OnnxSession } from '../onnx/session.ts'
import { type Component, components } from './components.ts'

export interface DetectSettings {
  widest: number // pixels of the longer side that the detector sees
  threshold: number // of a pixel to be text
  boxThreshold: number // of a box, the mean of its pixels
}

const multiple = 32 // the detector halves the picture five times
const grown = 1.75 // the map shows the middle of the letters; a box is that much of its area over its edge wider
const mean = [0.485, 0.456, 0.406]
const deviation = [0.229, 0.224, 0.225]

// Where text is: the map of a "differentiable binarization" model, cut at a threshold, patch by patch.
export async function detectText(
  session: OnnxSession,
  frame: Frame,
  settings: DetectSettings,
  signal: AbortSignal,
): Promise<Box[]> {
  const scale = Math.min(1, settings.widest / Math.max(frame.width, frame.height))
  const side = (length: number) => Math.max(multiple, Math.round((length * scale) / multiple) * multiple)
  const small = await resizeFrame(frame, side(frame.width), side(frame.height))
  const input = { type: 'float32' as const, data: planes(small), dims: [1, 3, small.height, small.width] }
  const outputs = await session.run({ [session.inputs[0]]: input }, signal)
  const map = outputs[session.outputs[0]].data as Float32Array
  return textBoxes(map, small, settings)
}

// Blue, green, red: the models were trained on pictures in that order, with the mean of red, green, blue.
function planes({ rgb, width, height }: Frame): Float32Array {
  const data = new Float32Array(3 * width * height)
  for (let plane = 0; plane < 3; plane++)
    for (let i = 0; i < width * height; i++)
      data[plane * width * height + i] = (rgb[i * 3 + 2 - plane] / 255 - mean[plane]) / deviation[plane]
  return data
}

export function textBoxes(
  map: Float32Array,
  { width, height }: { width: number; height: number },
  { threshold, boxThreshold }: Pick<DetectSettings, 'threshold' | 'boxThreshold'>,
): Box[] {
  const mask = Uint8Array.from(map, value => (value > threshold ? 1 : 0))
  return components(mask, width, height, 1)
    .filter(({ left, right, top, bottom }) => Math.min(right - left, bottom - top) >= 3)
    .filter(patch => meanOf(map, width, patch) >= boxThreshold)
    .map(({ left, right, top, bottom }) => {
      const [across, down] = [right - left, bottom - top]
      const edge = (across * down * grown) / (2 * (across + down))
      const x = Math.max(0, left - edge)
      const y = Math.max(0, top - edge)
      return {
        x: x / width,
        y: y / height,
        width: (Math.min(width, right + edge) - x) / width,
        height: (Math.min(height, bottom + edge) - y) / height,
      }
    })
}

function meanOf(map: Float32Array, width: number, { runs, area }: Component): number {
  let sum = 0
  for (let i = 0; i < runs.length; i += 3)
    for (let x = runs[i + 1]; x < runs[i + 2]; x++) sum += map[runs[i] * width + x]
  return sum / area
}
