import { Refused } from '../../../../src/core/api/problem.ts'
import { isVideoId, type Video } from '../../../../src/core/video.ts'
import { addServedVideo } from '../../work/videos/add-video.ts'
import { requireVideo } from '../../work/videos/find-video.ts'
import type { Workplace } from '../../work/workplace.ts'

// A video by its id, or by its file name where only one has it: models remember names.
export async function findVideoByName({ served }: Workplace, given: string): Promise<Video> {
  const { library } = served.runtime
  if (isVideoId(given)) return requireVideo(library, given)
  const named = (await library.list()).filter(({ name }) => name === given)
  const [only] = named
  if (only && named.length === 1) return only
  if (only)
    throw new Refused('conflict', `${named.length} videos have this name.`, 'Name one by its id: see "list_videos".')
  throw new Refused('unknown', 'There is no video with this id or name.', 'Call "list_videos", or "add_video" first.')
}

// A file by its path: absolute, or as it lies in one of the folders.
export async function fileOf(place: Workplace, path: string, signal: AbortSignal): Promise<Video> {
  const choices = path.startsWith('/') || place.folders.length === 0 ? [undefined] : place.folders.keys()
  let refused: unknown
  for (const folder of choices) {
    try {
      return await addServedVideo(place, { path, folder }, signal)
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'forbidden') throw error
      refused = error
    }
  }
  if (place.folders.length > 0) throw refused
  throw new Refused(
    'forbidden',
    'No folder was named when longtake was started.',
    'The user starts it as: longtake mcp FOLDER.',
  )
}
