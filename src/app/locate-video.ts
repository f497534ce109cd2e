import { stat } from 'node:fs/promises'
import type { Video } from '../core/video.ts'
import { defaultMaxHours, tooLong } from '../media/accepted-length.ts'
import { contentId } from '../media/content-id.ts'
import { localFile } from '../media/local-file.ts'
import { probe } from '../media/probe.ts'
import { sidecarsOf } from '../media/sidecars.ts'
import type { Library } from '../store/library.ts'

// The video at a path, or the known one with this id. A file that was probed before is not probed again, wherever it lies now.
export async function locateVideo(library: Library, given: string, maxHours?: number): Promise<Video> {
  if (/^v[0-9a-f]{20}$/.test(given) && !(await exists(given))) {
    const known = await library.find(given)
    if (known) return accepted(known, maxHours)
  }
  const file = await localFile(given)
  const known = await library.find(await contentId(file.path, file.bytes))
  const video = known
    ? {
        ...accepted(known, maxHours),
        path: file.path,
        name: file.name,
        sidecars: await sidecarsOf(file.path, file.name),
      }
    : await probe(given, { maxHours })
  await library.save(video)
  return video
}

// One that was probed when more was accepted, or by a version that accepted anything.
function accepted(known: Video, maxHours = defaultMaxHours): Video {
  if (known.duration > maxHours * 3600) throw tooLong(known.name, known.duration, maxHours)
  return known
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
