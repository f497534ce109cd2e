import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { absentAs, forbidden } from '../../../../src/core/errors.ts'
import { isVideoId, type Video } from '../../../../src/core/video.ts'
import { isMedia } from '../../../../src/media/file/media-name.ts'
import { locateVideo } from '../../../../src/runtime/index/locate-video.ts'
import { filePolicy } from '../../../../src/runtime/index/plan-stages.ts'
import type { Library } from '../../../../src/store/library/library.ts'
import { type AllowedFolder, outside } from './find-video.ts'
import type { ServedRuntime } from './video-view.ts'

// A video that a name fits: one of the library, or a file that is not in it yet.
export interface NamedFile {
  path: string
  video?: Video
}

const maxEntries = 50_000 // of folders that are looked through for a file

// What an id, a file name or a file name without its ending fits. The library is asked first; the folders that the server was
// started with are looked through only for what it does not know. A name is compared and never followed as a path.
export async function videosNamed(
  { runtime: { library } }: ServedRuntime,
  folders: readonly AllowedFolder[],
  given: string,
): Promise<NamedFile[]> {
  const libraryVideos = await inLibrary(library, given)
  if (libraryVideos.length > 0) return libraryVideos.map(video => ({ path: video.path, video }))
  const paths: string[] = []
  let entriesLeft = maxEntries
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(absentAs([], ...forbidden))) {
      if (entriesLeft-- <= 0) return
      const { name } = entry
      if (name.startsWith('.')) continue
      if (entry.isDirectory()) await walk(join(folder, name))
      else if (entry.isFile() && isMedia.test(name) && fits(name, given)) paths.push(join(folder, name))
    }
  }
  for (const { path } of folders) await walk(path)
  return exactFirst([...new Set(paths)], path => parse(path).base, given).map(path => ({ path }))
}

// The video itself; a file that is new to the library is probed and added.
export async function openNamed(
  { runtime }: ServedRuntime,
  { path, video }: NamedFile,
  signal: AbortSignal,
): Promise<Video> {
  if (video) return video
  const checkPath = (found: string) => {
    if (found !== path) throw outside() // a link has come there in between
  }
  return locateVideo(runtime.library, path, {
    ...filePolicy(runtime.settings.index),
    checkPath,
    watch: () => {},
    signal,
  })
}

async function inLibrary(library: Library, given: string): Promise<Video[]> {
  const byId = isVideoId(given) ? await library.find(given) : undefined
  if (byId) return [byId]
  const all = (await library.list()).filter(({ name }) => fits(name, given))
  return exactFirst(all, ({ name }) => name, given)
}

function fits(name: string, given: string): boolean {
  return name === given || parse(name).name === given
}

// A whole name means its file, also where other files have it as their stem.
function exactFirst<Item>(items: Item[], nameOf: (item: Item) => string, given: string): Item[] {
  const exact = items.filter(item => nameOf(item) === given)
  return exact.length > 0 ? exact : items
}
