import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { contentHash } from '../../src/core/json.ts'
import { countPhrase } from '../../src/core/words/counted.ts'
import { joinPictures } from '../../src/media/playback/join-pictures.ts'
import { createFile } from '../../src/store/create-file.ts'
import { filesBelow } from '../../src/store/files-below.ts'
import { exists } from '../../src/store/read-file.ts'
import { removeVideoExtension, type VideoFile } from './find-videos.ts'

interface FolderWork {
  names: readonly string[] // of videos
  find(name: string): VideoFile
  root: string
  folder: string // where the videos are kept that are made of pictures
  dryRun?: boolean
  say(line: string): void
  signal: AbortSignal
}

// A finder that also takes a folder of numbered JPEG files, <video>/000001.jpg, for a video: its frames, one a second. No newline or
// NUL of a name reaches ffmpeg.
export async function withPictureFolders(work: FolderWork): Promise<(name: string) => VideoFile> {
  const { names, find, root, folder, dryRun, say, signal } = work
  const missing = [...new Set(names)].filter(name => 'fault' in find(name))
  if (missing.length === 0) return find
  const folders = new Map<string, string[]>()
  for (const file of await filesBelow(root, 6))
    if (/^\d+\.jpe?g$/i.test(basename(file)) && !/[\n\r\0]/.test(file))
      folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file])
  const madeVideos = new Map<string, VideoFile>()
  for (const name of missing) {
    const alike = [...folders.keys()].filter(path => basename(path) === removeVideoExtension(name))
    const [source, rival] = alike
    if (source === undefined) continue
    if (rival !== undefined) madeVideos.set(name, { fault: `${name} could be the pictures of ${source} or ${rival}.` })
    else if (dryRun)
      madeVideos.set(name, { fault: `It is made of the pictures in ${source} when the run begins.`, packed: true })
    else madeVideos.set(name, { path: await joinFolder(folders.get(source) ?? [], folder, signal) })
  }
  if (madeVideos.size > 0)
    say(
      `${countPhrase(madeVideos.size, 'video lies', 'videos lie')} as pictures in a folder. One picture is taken for a second: times are their numbers.`,
    )
  return name => madeVideos.get(name) ?? find(name)
}

// Made once, and anew if a picture has changed.
async function joinFolder(files: readonly string[], folder: string, signal: AbortSignal): Promise<string> {
  const pictures = [...files].sort((a, b) => Number.parseInt(basename(a), 10) - Number.parseInt(basename(b), 10))
  const looks = await Promise.all(
    pictures.map(async path => {
      const { size, mtimeMs } = await stat(path)
      return [path, size, mtimeMs]
    }),
  )
  const file = join(folder, `${contentHash(['pictures 1', looks]).slice(0, 24)}.mkv`)
  if (!(await exists(file))) await createFile(file, temporary => joinPictures(pictures, temporary, signal))
  return file
}
