import { dirname, resolve } from 'node:path'
import { dotProduct } from '../../../src/core/basics/numbers.ts'
import { InputError } from '../../../src/core/errors.ts'
import type { Box } from '../../../src/core/evidence.ts'
import { contentHash } from '../../../src/core/json.ts'
import type { Detector, Face, FaceFinder, ImageEncoder } from '../../../src/core/services.ts'
import type { Video } from '../../../src/core/video.ts'
import { fullHash } from '../../../src/media/file/full-hash.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { cropFrame } from '../../../src/media/image.ts'
import { Models } from '../../../src/runtime/models/models.ts'
import { backendsWith } from '../../../src/runtime/models/role-families.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { exists } from '../../../src/store/read-file.ts'
import type { SourceAbout } from '../../recipes/about.ts'
import { type ItemSighting, type Sightings, sightRoles } from '../../recipes/item.ts'
import type { SightingWish } from '../../recipes/recipe.ts'

const width = 960 // pixels of the frames that are looked at
const atOnce = 16 // frames in memory

interface ToSee {
  video: Video
  sha256: string // of the video
  about: SourceAbout
  wish: SightingWish
  runtime: LocalRuntime
  before?: Sightings // that are known of it
  isDry: boolean // only names: what models see may cost money
  say(line: string): void
  signal: AbortSignal
}

// Where the people of X.about.json are seen: a face like their pictures, within the box of a person if there is one.
export async function collectSightings(given: ToSee): Promise<Sightings> {
  const { video, about, wish, runtime, before, isDry, say, signal } = given
  const { settings, models, host } = runtime
  const chosen = await Promise.all(sightRoles.map(role => (models.isOff(role) ? undefined : models.chosen(role))))
  const by = Object.fromEntries(sightRoles.map((role, at) => [role, chosen[at]?.by ?? 'off'])) as Sightings['by']
  const beside = (file: string) => resolve(dirname(video.path), file)
  const pictured = (about.people ?? []).filter(({ pictures }) => pictures.length > 0)
  const people = Object.fromEntries(pictured.map(({ name, pictures }) => [name, pictures.map(beside)]))
  const pictures = Object.values(people).flat()
  const files = await Promise.all(pictures.map(file => hashPicture(file, video.name, signal)))
  const key = contentHash([given.sha256, pictured, files, wish, chosen]).slice(0, 16)
  if (before?.key === key) return before
  if (pictured.length === 0 || !video.picture || Object.values(by).includes('off')) return { key, by, people: [] }
  const times = timesIn(video, wish)
  say(`${video.name}: ${times.length} frames for ${by.faces}, as many at most for ${by.detect} and ${by.embedImage}`)
  if (isDry) return { key: '', by, people: pictured.map(({ name }) => ({ name, appears: [], looks: [] })) }
  const isMeasured = (await backendsWith('faces', 'likeness')).includes(settings.models.faces.backend)
  const faces = { ...(isMeasured && { likeness: wish.likeness }), ...settings.models.faces, people }
  const faceModels = new Models({ faces }, host)
  try {
    const [finder, detector, encoder] = await Promise.all([
      faceModels.open('faces'),
      models.open('detect'),
      models.open('embedImage'),
    ])
    const seeing = { finder: finder.service, detector: detector.service, encoder: encoder.service }
    return { key, by, people: await seenIn(video, times, wish, seeing, signal) }
  } finally {
    await faceModels.close()
  }
}

async function hashPicture(picture: string, video: string, signal: AbortSignal): Promise<string> {
  if (await exists(picture)) return (await fullHash(picture, signal)).sha256
  throw new InputError(`The picture ${picture} is not there.`, {
    hint: `Put it there, or correct "pictures" in the .about.json beside ${video}; a path begins in that folder.`,
  })
}

function timesIn({ duration }: Video, { every }: SightingWish): number[] {
  const times = Array.from({ length: Math.ceil(duration / every) }, (_, at) => (at + 0.5) * every)
  return times.filter(time => time < duration)
}

interface Seeing {
  finder: FaceFinder
  detector: Detector
  encoder: ImageEncoder
}

async function seenIn(
  video: Video,
  times: readonly number[],
  { every, gap, alike }: SightingWish,
  seeing: Seeing,
  signal: AbortSignal,
): Promise<ItemSighting[]> {
  const seen = new Map<string, ItemSighting & { last?: Float32Array }>()
  for (let at = 0; at < times.length; at += atOnce)
    for (const { time, name, box, vector } of await looksAt(video, times.slice(at, at + atOnce), seeing, signal)) {
      const person = seen.get(name) ?? { name, appears: [], looks: [] }
      seen.set(name, person)
      const [start, end] = [Math.max(0, time - every / 2), Math.min(video.duration, time + every / 2)]
      const before = person.appears.at(-1)
      if (before && start - before[1] <= gap) before[1] = end
      else person.appears.push([start, end])
      if (!box || !vector || (person.last && dotProduct(person.last, vector) > alike)) continue
      person.looks.push({ time, box })
      person.last = vector
    }
  return [...seen.values()].map(({ last: _, ...person }) => person)
}

interface Look {
  time: number
  name: string
  box?: Box // of the whole person
  vector?: Float32Array
}

// Each known person once a frame, where the face is likest.
async function looksAt(
  video: Video,
  times: number[],
  { finder, detector, encoder }: Seeing,
  signal: AbortSignal,
): Promise<Look[]> {
  const frames = await decodeFrames(video, times, { width }, signal)
  const faceLists = await finder.faces(frames, signal)
  const shownFaces = frames.flatMap((frame, at) => {
    const faces = likest(faceLists[at] ?? [])
    return faces.length > 0 ? [{ frame, faces, time: times[at] ?? frame.time }] : []
  })
  const withFaces = shownFaces.map(({ frame }) => frame)
  const bodies = await detector.detect(withFaces, ['person'], signal)
  const looks = shownFaces.flatMap(({ frame, faces, time }, at) =>
    faces.map(([name, face]) => ({ name, time, frame, box: findBody(face, bodies[at] ?? []) })),
  )
  const crops = looks.flatMap(({ frame, box }) => (box ? [cropFrame(frame, box)] : []))
  const vectors = await encoder.images(crops, signal)
  return looks.map(({ name, time, box }) => ({ name, time, box, vector: box && vectors.shift() }))
}

function likest(faces: readonly Face[]): [name: string, face: Face][] {
  const best = new Map<string, Face>()
  for (const face of faces) {
    const before = face.person === undefined ? undefined : best.get(face.person)
    if (face.person !== undefined && (!before || (face.likeness ?? 0) > (before.likeness ?? 0)))
      best.set(face.person, face)
  }
  return [...best]
}

// The smallest person that the middle of the face lies in.
function findBody({ box: face }: Face, bodies: readonly { box: Box }[]): Box | undefined {
  const [x, y] = [face.x + face.width / 2, face.y + face.height / 2]
  const boxes = bodies.map(({ box }) => box).sort((a, b) => a.width * a.height - b.width * b.height)
  return boxes.find(box => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)
}
