import { InputError } from '../../core/errors.ts'
import type { Video } from '../../core/video.ts'
import { contentId } from '../../media/file/content-id.ts'
import { localFile } from '../../media/file/local-file.ts'
import { sourcesOf } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import { fileBelow } from '../jobs/roots.ts'

// The file of a video on this machine, looked at: one that was replaced since it was queued is not the same video.
export async function locateSource(sql: Sql, video: Video, roots: Readonly<Record<string, string>>): Promise<string> {
  const sources = await sourcesOf(sql, video.id)
  for (const source of sources) {
    if ('object' in source) continue
    const path = await fileBelow(source, roots)
    if (path === undefined) continue
    const { bytes } = await localFile(path)
    const found = await contentId(path, bytes)
    if (video.id === found || video.id.startsWith(`${found}-`)) return path
    throw new InputError(`${source.root}:${source.path} has changed since it was queued as ${video.id}.`, {
      hint: 'Index the file as it is now: run the same command again.',
    })
  }
  throw new NotHere(video)
}

// Another machine may have the root.
export class NotHere extends Error {
  constructor({ name, id }: Video) {
    super(`no file of ${name} (${id}) is below a root of this machine`)
    this.name = 'NotHere'
  }
}
