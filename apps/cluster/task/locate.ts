import type { Video } from '../../../src/core/video.ts'
import { readVideoSources } from '../data/catalogue/videos.ts'
import { fileBelow } from '../jobs/roots.ts'
import { fetchSource, refuseReplaced, type SourceWork } from '../store/sources.ts'

// The file of a video on this machine, looked at: one that was replaced since it was queued is not the same video. Where no root holds
// it, it is fetched from the store or a bucket.
export async function locateSource(work: SourceWork, video: Video): Promise<string> {
  for (const source of await readVideoSources(work.sql, video.id)) {
    if ('object' in source) continue
    const path = await fileBelow(source, work.roots)
    if (path === undefined) continue
    await refuseReplaced(video, path, `${source.root}:${source.path}`, work.signal)
    return path
  }
  const fetched = await fetchSource(work, video)
  if (fetched === undefined) throw new NotHere(video)
  return fetched
}

// Another machine may have the root.
export class NotHere extends Error {
  constructor({ name, id }: Video) {
    super(`no file of ${name} (${id}) is below a root of this machine, and none is in the store`)
    this.name = 'NotHere'
  }
}
