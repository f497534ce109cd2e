import { Refused } from '../../../../src/core/api/problem.ts'
import { errorText } from '../../../../src/core/errors.ts'
import type { Video } from '../../../../src/core/video.ts'
import { visibleFileName } from '../../../../src/core/words/visible-text.ts'
import { folderNamed, openTimeline } from '../../../../src/runtime/operations/source.ts'
import { addServedVideo } from '../../work/videos/add-video.ts'
import { servedMemory } from '../../work/videos/served-memory.ts'
import type { Workplace } from '../../work/workplace.ts'
import { newFiles } from './new-files.ts'

interface ChosenVideos {
  videos: Video[]
  folder?: string // its path, if a folder was named
  refused: string[] // new files of the folder that are no videos, a line each
}

// The one video that a call names; a new file below an allowed folder comes into the library.
export async function chooseVideo(place: Workplace, given: string | undefined, signal: AbortSignal): Promise<Video> {
  const { videos } = await chooseVideos(place, given, signal)
  const [only, ...more] = videos
  if (only && more.length === 0) return only
  throw new Refused('conflict', 'That is a folder of several videos.', 'Name one of them: see "list_videos".')
}

// The video that a call names, or those of a folder. `isNewToo`: with the files of the folder that the library does not know yet.
export async function chooseVideos(
  place: Workplace,
  given: string | undefined,
  signal: AbortSignal,
  isNewToo = false,
): Promise<ChosenVideos> {
  let unknown: Refused | undefined
  const timeline = await openTimeline(servedMemory(place, signal), given).catch(error => {
    if (given === undefined || !(error instanceof Refused) || error.code !== 'unknown') throw error
    unknown = error
    return undefined
  })
  const videos = timeline?.parts.map(({ video }) => video) ?? []
  const { folder } = timeline ?? {}
  if (given === undefined || (timeline && (folder === undefined || !isNewToo))) return { videos, folder, refused: [] }
  const paths = isNewToo ? (await newFiles(place)).filter(path => folderNamed(path, given) !== undefined) : []
  if (unknown && paths.length === 0) return { videos: [await addFile(place, given, signal, unknown)], refused: [] }
  const refused: string[] = []
  for (const path of paths)
    await addServedVideo(place, { path }, signal).then(
      video => videos.push(video),
      error => refused.push(`${visibleFileName(path)}: ${errorText(error)}`),
    )
  return { videos, folder: folder ?? folderNamed(paths[0] ?? '', given), refused }
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
