import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import type { OnnxSession } from '../onnx/session.ts'
import { preparedLetters, preparedLines } from '../prepare/prepare.ts'
import type { Recognized } from './paddle-letters.ts'

const batch = 8
const widest = 2400 // pixels of a line at the height that the model reads

// Reads pictures of one line each. Lines of like length go together, as all of a batch are padded to the longest.
export async function recognizeLines(
  session: OnnxSession,
  lines: readonly Frame[],
  { height, keys }: { height: number; keys: readonly string[] },
  signal: AbortSignal,
): Promise<Recognized[]> {
  const order = lines.map((_, i) => i).sort((a, b) => ratio(lines[a]!) - ratio(lines[b]!))
  const results: Recognized[] = new Array(lines.length)
  for (let at = 0; at < order.length; at += batch) {
    const some = order.slice(at, at + batch)
    const sized = await Promise.all(some.map(i => resizeFrame(lines[i]!, widthAt(lines[i]!, height), height)))
    const width = Math.max(...sized.map(line => line.width))
    const data = await preparedLines(sized, width, height, signal)
    const input = { type: 'float32' as const, data, dims: [some.length, 3, height, width] }
    const output = (await session.run({ [session.inputs[0]!]: input }, signal))[session.outputs[0]!]!
    const [rows, steps, classes] = output.dims
    const read = await preparedLetters(output.data as Float32Array, { rows, steps, classes }, keys, signal)
    some.forEach((i, row) => {
      results[i] = read[row]!
    })
  }
  return results
}

function ratio({ width, height }: Frame): number {
  return width / height
}

function widthAt(line: Frame, height: number): number {
  return Math.min(widest, Math.max(height, Math.ceil(ratio(line) * height)))
}
