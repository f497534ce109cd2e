import { stat } from 'node:fs/promises'
import type { Video } from '../core/video.ts'
import { contentId } from '../media/content-id.ts'
import { localFile } from '../media/local-file.ts'
import { probe } from '../media/probe.ts'
import { sidecarsOf } from '../media/sidecars.ts'
import type { Library } from '../store/library.ts'

// The video at a path, or the known one with this id. A file that was probed before is not probed again, wherever it lies now.
export async function locateVideo(library: Library, given: string): Promise<Video> {
  if (/^v[0-9a-f]{20}$/.test(given) && !(await exists(given))) {
    const known = await library.find(given)
    if (known) return known
  }
  const file = await localFile(given)
  const known = await library.find(await contentId(file.path, file.bytes))
  const video = known
    ? { ...known, path: file.path, name: file.name, sidecars: await sidecarsOf(file.path, file.name) }
    : await probe(given)
  await library.save(video)
  return video
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
