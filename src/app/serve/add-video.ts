import type { Video } from '../../core/video.ts'
import { locateVideo } from '../index/locate-video.ts'
import { filePolicy } from '../index/plan-stages.ts'
import { pathInFolder } from './find-video.ts'
import type { Workplace } from './workplace.ts'

// Takes a file of an allowed folder into the library; nothing is indexed.
export async function addVideo(
  { served, folders }: Workplace,
  { path, folder }: { path: string; folder?: number },
  signal: AbortSignal,
): Promise<Video> {
  const { library, settings } = served.runtime
  const real = await pathInFolder(folders, path, folder)
  return locateVideo(library, real, { ...filePolicy(settings.index), watch: () => {}, signal })
}
