import { clamp } from '../../src/core/basics/numbers.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Box } from '../../src/core/evidence.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import { suppressDuplicates } from '../detect/nms.ts'
import type { Feeds, OnnxTensor } from '../onnx/messages.ts'
import { prepare } from '../prepare/prepare.ts'

export interface FoundFace {
  confidence: number
  box: Box
  marks: [number, number][] // eyes, nose, corners of the mouth, in shares of the frame; the eye on the left first
}

interface FaceSight {
  edge: number // pixels of the square that the model sees
  threshold: number
}

const strides = [8, 16, 32]

export async function faceInput(
  frame: Frame,
  edge: number,
  signal: AbortSignal,
): Promise<{ tensor: OnnxTensor; scale: number }> {
  const scale = edge / Math.max(frame.width, frame.height)
  const width = Math.max(1, Math.round(frame.width * scale))
  const height = Math.max(1, Math.round(frame.height * scale))
  const { rgb } = await resizeFrame(frame, width, height)
  const data = await prepare('facePlanes', [{ rgb, width, height }, edge], signal)
  return { tensor: { type: 'float32', data, dims: [1, 3, edge, edge] }, scale }
}

// For each cell of three grids YuNet gives whether a face is there, its box and its five marks.
export function decodeFaces(outputs: Feeds, frame: Frame, scale: number, { edge, threshold }: FaceSight): FoundFace[] {
  const faces: FoundFace[] = []
  for (const stride of strides) {
    const grid = (name: string) => numbers(outputs, `${name}_${stride}`)
    const [classes, objects, boxes, marks] = [grid('cls'), grid('obj'), grid('bbox'), grid('kps')]
    const side = Math.floor(edge / stride)
    for (const [cell, object] of objects.subarray(0, side * side).entries()) {
      const confidence = Math.sqrt(clamp(classes[cell] ?? 0, 0, 1) * clamp(object, 0, 1))
      if (confidence < threshold) continue
      const x = (offset: number) => (((cell % side) + offset) * stride) / scale / frame.width
      const y = (offset: number) => ((Math.floor(cell / side) + offset) * stride) / scale / frame.height
      const [dx = 0, dy = 0, dw = 0, dh = 0] = boxes.subarray(cell * 4, cell * 4 + 4)
      const width = (Math.exp(dw) * stride) / scale / frame.width
      const height = (Math.exp(dh) * stride) / scale / frame.height
      const [left, right] = [clamp(x(dx) - width / 2, 0, 1), clamp(x(dx) + width / 2, 0, 1)]
      const [top, bottom] = [clamp(y(dy) - height / 2, 0, 1), clamp(y(dy) + height / 2, 0, 1)]
      if (right <= left || bottom <= top) continue
      const points = marks.subarray(cell * 10, cell * 10 + 10)
      faces.push({
        confidence,
        box: { x: left, y: top, width: right - left, height: bottom - top },
        marks: Array.from({ length: 5 }, (_, i): [number, number] => [x(points[i * 2]!), y(points[i * 2 + 1]!)]),
      })
    }
  }
  return suppressDuplicates(faces)
}

function numbers(outputs: Feeds, name: string): Float32Array {
  const { data } = outputs[name] ?? {}
  if (data instanceof Float32Array) return data
  throw new UsageError(`The model gives no "${name}".`, {
    hint: 'It is not a YuNet model with three grids; set faces.detector to one.',
  })
}
