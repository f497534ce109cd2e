import type { Box } from '../../src/core/evidence.ts'
import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import type { OnnxSession } from '../onnx/session.ts'
import { foundTextBoxes, preparedPage } from '../prepare/prepare.ts'
import type { BoxSettings } from './paddle-boxes.ts'

export interface DetectSettings extends BoxSettings {
  widest: number // pixels of the longer side that the detector sees
}

const multiple = 32 // the detector halves the picture five times

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
  const data = await preparedPage(small, signal)
  const input = { type: 'float32' as const, data, dims: [1, 3, small.height, small.width] }
  const outputs = await session.run({ [session.inputs[0]!]: input }, signal)
  const map = outputs[session.outputs[0]!]!.data as Float32Array
  const { threshold, boxThreshold } = settings
  return foundTextBoxes(map, small, { threshold, boxThreshold }, signal)
}
