import { realpath, stat } from 'node:fs/promises'
import { parse, resolve } from 'node:path'
import { isAddress } from '../core/basics/address.ts'
import { absentAs, UsageError } from '../core/errors.ts'
import type { Fetched } from '../core/runtime.ts'
import { isVideoId } from '../core/video.ts'
import { countPhrase } from '../core/words/counted.ts'
import { visibleFileName } from '../core/words/visible-text.ts'
import type { Call } from './call.ts'
import { watching } from './output.ts'

// What an argument names, as the runtime takes it: a file, an id, or the name of one video of the library, also without its ending.
export async function namedVideo(call: Call, given: string): Promise<string> {
  const path = resolve(call.world.cwd, given)
  if (isAddress(given) || isVideoId(given) || (await stat(path).catch(absentAs(undefined)))) return given
  const { openLibrary } = await import('../store/library/library.ts')
  const listed = await openLibrary(await call.home()).list()
  const exact = listed.filter(({ name }) => name === given)
  const videos = exact.length > 0 ? exact : listed.filter(({ name }) => parse(name).name === given)
  const [video, second] = videos
  if (video === undefined) return given
  if (second)
    throw new UsageError(`${videos.length} videos of the library have the name ${visibleFileName(given)}.`, {
      hint: `Give the path or the id of one: ${videos.map(one => `${one.id} (${visibleFileName(one.path)})`).join(', ')}.`,
    })
  call.remark(`${visibleFileName(given)} is in your library: ${visibleFileName(video.path)}`)
  return video.id
}

// The video that an argument names, as a file or an id: what has an address is fetched first, once.
export async function localVideo(call: Call, given: string): Promise<string> {
  if (!isAddress(given)) return namedVideo(call, given)
  const [path = given] = await fetchVideos(call, given)
  return path
}

// All videos that an argument names: an address may be a playlist, and a folder stands for what lies in it and below.
export async function listVideos(call: Call, given: string): Promise<string[]> {
  if (isAddress(given)) return fetchVideos(call, given)
  const path = resolve(call.world.cwd, given)
  const isFolder = given !== '' && (await stat(path).catch(absentAs(undefined)))?.isDirectory()
  return isFolder ? walkFolder(call, path) : [await namedVideo(call, given)]
}

async function walkFolder(call: Call, path: string): Promise<string[]> {
  const { walker } = await import('../runtime/watch/walk.ts')
  const home = await call.home()
  const root = await realpath(path)
  const { files, unread } = await walker([root], await realpath(home).catch(() => home))()
  for (const [folder, why] of unread) call.remark(`Cannot read ${visibleFileName(folder)}: ${visibleFileName(why)}`)
  if (files.size === 0)
    throw new UsageError(`There is no video or audio file in ${visibleFileName(path)}.`, {
      hint: 'Name a folder that holds some, or the files themselves.',
    })
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
  const { formatBytes } = await import('./show/format.ts')
  call.remark(`${visibleFileName(path)}: ${countPhrase(files.size, 'file')}, ${formatBytes(bytes)}`)
  return [...files.keys()].sort()
}

async function fetchVideos(call: Call, address: string): Promise<string[]> {
  const runtime = await call.runtime()
  const fetched: Fetched[] = await watching(call, watch =>
    runtime.videos.fetch(address, { watch, signal: call.signal, playlist: call.has('--playlist') }),
  )
  return fetched.map(({ path }) => path)
}
