import type { Frame } from '../../src/core/video.ts'
import { resizeFrame } from '../../src/media/image.ts'
import type { OnnxSession } from '../onnx/session.ts'

export interface Recognized {
  text: string
  confidence: number
}

const batch = 8
const farther = 1.2 // times the usual step from letter to letter
const widest = 2400 // pixels of a line at the height that the model reads

// Reads pictures of one line each. Lines of like length go together, as all of a batch are padded to the longest.
export async function recognizeLines(
  session: OnnxSession,
  lines: readonly Frame[],
  { height, keys }: { height: number; keys: readonly string[] },
  signal: AbortSignal,
): Promise<Recognized[]> {
  const order = lines.map((_, i) => i).sort((a, b) => ratio(lines[a]) - ratio(lines[b]))
  const results: Recognized[] = new Array(lines.length)
  for (let at = 0; at < order.length; at += batch) {
    const some = order.slice(at, at + batch)
    const sized = await Promise.all(some.map(i => resizeFrame(lines[i], widthAt(lines[i], height), height)))
    const width = Math.max(...sized.map(line => line.width))
    const data = padded(sized, width, height)
    const input = { type: 'float32' as const, data, dims: [some.length, 3, height, width] }
    const output = (await session.run({ [session.inputs[0]]: input }, signal))[session.outputs[0]]
    const [, steps, classes] = output.dims
    some.forEach((i, row) => {
      const scores = (output.data as Float32Array).subarray(row * steps * classes, (row + 1) * steps * classes)
      results[i] = decode(scores, classes, keys)
    })
  }
  return results
}

// The class "none" is the first; the space comes after the keys. A letter that goes on over steps is one letter.
export function decode(scores: Float32Array, classes: number, keys: readonly string[]): Recognized {
  const letters: string[] = []
  const steps: number[] = []
  let sum = 0
  let count = 0
  let last = 0
  for (let at = 0; at < scores.length; at += classes) {
    let best = 0
    for (let i = 1; i < classes; i++) if (scores[at + i] > scores[at + best]) best = i
    if (best !== 0 && best !== last) {
      letters.push(keys[best - 1] ?? ' ')
      steps.push(at / classes)
      sum += scores[at + best]
      count++
    }
    last = best
  }
  const text = withSpaces(letters, steps)
  return { text: text.replaceAll(/\s+/g, ' ').trim(), confidence: count > 0 ? Math.min(1, sum / count) : 0 }
}

// Small recognisers miss the space after a full stop. It is put in where the next letter stands as far away as after a space.
function withSpaces(letters: readonly string[], steps: readonly number[]): string {
  const gaps = steps.slice(1).map((step, i) => step - steps[i])
  const close = gaps.filter((_, i) => letters[i] !== ' ' && letters[i + 1] !== ' ').sort((a, b) => a - b)
  const usual = close[Math.floor(close.length / 2)] ?? Number.POSITIVE_INFINITY
  return letters
    .map((letter, i) => {
      const ends = /[.,;:!?]/.test(letter) && /\p{L}/u.test(letters[i + 1] ?? '')
      return ends && gaps[i] >= usual * farther ? `${letter} ` : letter
    })
    .join('')
}

function padded(lines: readonly Frame[], width: number, height: number): Float32Array {
  const plane = width * height
  const data = new Float32Array(lines.length * 3 * plane)
  lines.forEach((line, n) => {
    for (let channel = 0; channel < 3; channel++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < line.width; x++)
          data[(n * 3 + channel) * plane + y * width + x] = line.rgb[(y * line.width + x) * 3 + 2 - channel] / 127.5 - 1
  })
  return data
}

function ratio({ width, height }: Frame): number {
  return width / height
}

function widthAt(line: Frame, height: number): number {
  return Math.min(widest, Math.max(height, Math.ceil(ratio(line) * height)))
}
