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
import { alignedFace, faceEdge } from './align-face.ts'
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
    .describe('tells faces apart: SFace or ArcFace, .onnx; without it nobody is named'),
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
    throw new UsageError('models.faces.people is set, but without a recogniser nobody can be named.', {
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
