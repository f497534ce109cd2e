import { UsageError } from '../../src/core/errors.ts'
import type { Box } from '../../src/core/evidence.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { withoutDoubles } from '../detect/without-doubles.ts'
import type { Feeds, OnnxTensor } from '../onnx/messages.ts'

export interface FoundFace {
  confidence: number
  box: Box
  marks: [number, number][] // eyes, nose, corners of the mouth, in shares of the frame; the eye on the left first
}

export interface FaceSight {
  edge: number // pixels of the square that the model sees
  threshold: number
}

const strides = [8, 16, 32]

// The frame in the upper left corner of a square, blue, green, red from 0 to 255, as YuNet was trained.
export async function faceInput(frame: Frame, edge: number): Promise<{ tensor: OnnxTensor; scale: number }> {
  const scale = edge / Math.max(frame.width, frame.height)
  const width = Math.max(1, Math.round(frame.width * scale))
  const height = Math.max(1, Math.round(frame.height * scale))
  const { rgb } = await resizeFrame(frame, width, height)
  const data = new Float32Array(3 * edge * edge)
  for (let plane = 0; plane < 3; plane++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) data[(plane * edge + y) * edge + x] = rgb[(y * width + x) * 3 + 2 - plane]!
  return { tensor: { type: 'float32', data, dims: [1, 3, edge, edge] }, scale }
}

// YuNet tells for each cell of three grids whether a face is there, and from it the box and five marks.
export function facesIn(outputs: Feeds, frame: Frame, scale: number, { edge, threshold }: FaceSight): FoundFace[] {
  const found: (FoundFace & { label: string })[] = []
  for (const stride of strides) {
    const [sure, there, boxes, marks] = ['cls', 'obj', 'bbox', 'kps'].map(name => numbers(outputs, `${name}_${stride}`))
    const side = Math.floor(edge / stride)
    for (let cell = 0; cell < side * side; cell++) {
      const confidence = Math.sqrt(clamp(sure[cell]!) * clamp(there[cell]!))
      if (confidence < threshold) continue
      const column = cell % side
      const row = Math.floor(cell / side)
      const [dx, dy, dw, dh] = boxes.subarray(cell * 4, cell * 4 + 4)
      const width = (Math.exp(dw) * stride) / scale / frame.width
      const height = (Math.exp(dh) * stride) / scale / frame.height
      const left = clamp(((column + dx) * stride) / scale / frame.width - width / 2)
      const top = clamp(((row + dy) * stride) / scale / frame.height - height / 2)
      const right = clamp(((column + dx) * stride) / scale / frame.width + width / 2)
      const bottom = clamp(((row + dy) * stride) / scale / frame.height + height / 2)
      if (right <= left || bottom <= top) continue
      const points = marks.subarray(cell * 10, cell * 10 + 10)
      found.push({
        label: 'face',
        confidence,
        box: { x: left, y: top, width: right - left, height: bottom - top },
        marks: Array.from({ length: 5 }, (_, i): [number, number] => [
          ((column + points[i * 2]!) * stride) / scale / frame.width,
          ((row + points[i * 2 + 1]!) * stride) / scale / frame.height,
        ]),
      })
    }
  }
  return withoutDoubles(found).map(({ label: _, ...face }) => face)
}

function numbers(outputs: Feeds, name: string): Float32Array {
  const { data } = outputs[name] ?? {}
  if (data instanceof Float32Array) return data
  throw new UsageError(`The model gives no "${name}".`, {
    hint: 'It is not a YuNet model with three grids; set faces.detector to one.',
  })
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}
