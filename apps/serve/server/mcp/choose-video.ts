import { Refused } from '../../../../src/core/api/problem.ts'
import type { Video } from '../../../../src/core/video.ts'
import { openTimeline } from '../../../../src/runtime/operations/source.ts'
import { addServedVideo } from '../../work/videos/add-video.ts'
import { servedMemory } from '../../work/videos/served-memory.ts'
import type { Workplace } from '../../work/workplace.ts'

// The one video that a call names; a new file below an allowed folder comes into the library.
export async function chooseVideo(place: Workplace, given: string | undefined, signal: AbortSignal): Promise<Video> {
  const [only, ...more] = await openTimeline(servedMemory(place, signal), given).then(
    ({ parts }) => parts.map(({ video }) => video),
    async (error: unknown) => {
      if (given === undefined || !(error instanceof Refused) || error.code !== 'unknown') throw error
      return [await addFile(place, given, signal, error)]
    },
  )
  if (only && more.length === 0) return only
  throw new Refused('conflict', 'That is a folder of several videos.', 'Name one of them: see "list_videos".')
}

// By its path: absolute, or as it lies in one of the folders.
async function addFile(place: Workplace, path: string, signal: AbortSignal, unknown: Refused): Promise<Video> {
  if (place.folders.length === 0) throw unknown
  const choices = path.startsWith('/') ? [undefined] : place.folders.keys()
  for (const folder of choices) {
    try {
      return await addServedVideo(place, { path, folder }, signal)
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'forbidden') throw error
    }
  }
  throw unknown
}
