import { z } from 'zod'
import type { Backend, Host } from '../../src/core/backend.ts'
import { UsageError } from '../../src/core/errors.ts'
import type { Face, FaceFinder } from '../../src/core/services.ts'
import type { Frame } from '../../src/core/video.ts'
import { fileNeeds } from '../is-file.ts'
import { Batches } from '../onnx/batches.ts'
import { onnxSettings } from '../onnx/device.ts'
import { type LazySession, lazySession } from '../onnx/session.ts'
import { tensorFloats } from '../onnx/tensors.ts'
import { unitRows } from '../vectors/unit-rows.ts'
import { decodeFaces, type FoundFace, faceInput } from './find-faces.ts'
import { PeopleSetting, peopleNeeds, readKnownPeople } from './people.ts'

const Settings = z.strictObject({
  ...onnxSettings,
  detector: z
    .string({ error: 'name the file of the detector, a YuNet in ONNX' })
    .min(1)
    .describe('finds faces: YuNet, .onnx'),
  recognizer: z
    .string()
    .min(1)
    .optional()
    .describe('tells faces apart: SFace or ArcFace, .onnx; without it no face is named'),
  pixels: z
    .enum(['0 to 255', '-1 to 1'])
    .default('0 to 255')
    .describe('what the recogniser is given: SFace 0 to 255, ArcFace -1 to 1'),
  people: PeopleSetting.optional(),
  threshold: z.number().min(0).max(1).default(0.7).describe('the score from which a face counts as found'),
  likeness: z.number().min(-1).max(1).default(0.363).describe('to a known picture, from which a face is that person'),
  edge: z.number().int().positive().multipleOf(32).default(640).describe('pixels of the square that the detector sees'),
})
type Settings = z.infer<typeof Settings>

// Faces on this machine, and whose they are by pictures in a folder of the user's.
const yunet: Backend<FaceFinder, Settings> = {
  summary: 'finds faces by YuNet, and names people whose pictures lie in a folder',
  version: '1',
  settings: Settings,
  needs: ({ detector, recognizer, people }) => [
    ...fileNeeds('faces', { detector, recognizer }),
    ...peopleNeeds(people),
  ],
  open: openFinder,
}

export default yunet

interface KnownFace {
  name: string
  vector: Float32Array
}

async function openFinder(settings: Settings, host: Host): Promise<FaceFinder> {
  const { people, recognizer } = settings
  if (people && !recognizer)
    throw new UsageError('models.faces.people is set, but without a recogniser no face can be named.', {
      hint: 'Set models.faces.recognizer to the file of a SFace or ArcFace model, or take "people" out.',
    })
  const detector = lazySession(settings.detector, settings, host)
  const reader = recognizer ? lazySession(recognizer, settings, host) : undefined
  const close = async () => void (await Promise.all([detector.close(), reader?.close()]))
  const frameByFrame = new Batches(1, { cpu: 1, card: 1 }, line => host.say(line), detector)
  const find = <Found>(
    frames: readonly Frame[],
    signal: AbortSignal,
    read: (frame: Frame, faces: FoundFace[]) => Promise<Found>,
  ) =>
    frameByFrame.feed(
      frames,
      signal,
      async frame => ({ frame, ...(await faceInput(frame, settings.edge, signal)) }),
      batch =>
        Promise.all(
          batch.map(async ({ frame, tensor, scale }) => {
            const outputs = await detector.run(([input = '']) => ({ [input]: tensor }), signal)
            return read(frame, decodeFaces(outputs, frame, scale, settings))
          }),
        ),
    )
  const knownFaces: KnownFace[] = []
  try {
    for (const { name, pictures } of people ? await readKnownPeople(people) : []) {
      for (const picture of pictures) {
        const [faces = []] = await find([picture], host.signal, async (_, found) => found)
        const [face] = faces.sort((a, b) => area(b) - area(a))
        if (face && reader)
          knownFaces.push({ name, vector: await embedFace(reader, picture, face, settings, host.signal) })
        else host.say(`faces/yunet finds no face in a picture of ${name}; it is left out.`)
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  const who = async (reader: LazySession, frame: Frame, face: FoundFace, signal: AbortSignal) => {
    const { name, likeness } = nearest(await embedFace(reader, frame, face, settings, signal), knownFaces)
    return { likeness, ...(likeness >= settings.likeness && { person: name }) }
  }
  return {
    people: [...new Set(knownFaces.map(({ name }) => name))],
    faces: (frames, signal) =>
      find(frames, signal, async (frame, found) => {
        const faces: Face[] = []
        for (const face of found) {
          const { confidence, box } = face
          faces.push({
            confidence,
            box,
            ...(reader && knownFaces.length > 0 && (await who(reader, frame, face, signal))),
          })
        }
        return faces
      }),
    close,
  }
}

async function embedFace(
  reader: LazySession,
  frame: Frame,
  face: FoundFace,
  { pixels }: Settings,
  signal: AbortSignal,
): Promise<Float32Array> {
  const aligned = alignedFace(frame, face.marks)
  const data = pixels === '0 to 255' ? aligned : aligned.map(value => value / 127.5 - 1)
  const input = { type: 'float32' as const, data, dims: [1, 3, faceEdge, faceEdge] }
  const outputs = await reader.run(([name = '']) => ({ [name]: input }), signal)
  const [output] = Object.values(outputs)
  const numbers = tensorFloats(output as Parameters<typeof tensorFloats>[0])
  const [vector = numbers] = unitRows(numbers, numbers.length)
  return vector
}

function nearest(vector: Float32Array, known: readonly KnownFace[]): { name: string; likeness: number } {
  return known
    .map(({ name, vector: other }) => ({
      name,
      likeness: other.reduce((sum, value, i) => sum + value * vector[i]!, 0),
    }))
    .reduce((best, found) => (found.likeness > best.likeness ? found : best))
}

function area({ box }: FoundFace): number {
  return box.width * box.height
}

type Point = readonly [x: number, y: number]

// The places of eyes, nose and mouth in the square of 112 pixels that face recognisers are trained on.
const places: readonly Point[] = [
  [38.2946, 51.6963],
  [73.5318, 51.5014],
  [56.0252, 71.7366],
  [41.5493, 92.3655],
  [70.7299, 92.2041],
]
export const faceEdge = 112

// The face turned, moved and scaled to those places: red, green, blue from 0 to 255, plane by plane.
export function alignedFace(frame: Frame, marks: readonly Point[]): Float32Array {
  const from = marks.map(([x, y]): Point => [x * frame.width, y * frame.height])
  const { a, b, x: moveX, y: moveY } = similarity(from, places)
  const length = a * a + b * b
  const data = new Float32Array(3 * faceEdge * faceEdge)
  for (let row = 0; row < faceEdge; row++) {
    for (let column = 0; column < faceEdge; column++) {
      const [u, v] = [column - moveX, row - moveY]
      const x = (a * u + b * v) / length
      const y = (a * v - b * u) / length
      for (let plane = 0; plane < 3; plane++)
        data[(plane * faceEdge + row) * faceEdge + column] = between(frame, x, y, plane)
    }
  }
  return data
}

// The rotation, scale and translation that bring points nearest to others, by least squares: x' = ax - by + x, y' = bx + ay + y.
export function similarity(
  from: readonly Point[],
  to: readonly Point[],
): { a: number; b: number; x: number; y: number } {
  const [fx, fy] = mean(from)
  const [tx, ty] = mean(to)
  let along = 0
  let across = 0
  let spread = 0
  for (const [i, [x, y]] of from.entries()) {
    const [dx, dy] = [x - fx, y - fy]
    const [ex, ey] = [to[i]![0] - tx, to[i]![1] - ty]
    along += dx * ex + dy * ey
    across += dx * ey - dy * ex
    spread += dx * dx + dy * dy
  }
  const [a, b] = spread > 0 ? [along / spread, across / spread] : [1, 0]
  return { a, b, x: tx - a * fx + b * fy, y: ty - b * fx - a * fy }
}

function mean(points: readonly Point[]): Point {
  const [x, y] = points.reduce<Point>(([sumX, sumY], point) => [sumX + point[0], sumY + point[1]], [0, 0])
  return [x / points.length, y / points.length]
}

// Bilinear between the four pixels around a place; black outside the frame.
function between({ rgb, width, height }: Frame, x: number, y: number, plane: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const pixel = (column: number, row: number) =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : rgb[(row * width + column) * 3 + plane]!
  const [right, below] = [x - left, y - top]
  return (
    (pixel(left, top) * (1 - right) + pixel(left + 1, top) * right) * (1 - below) +
    (pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right) * below
  )
}
