import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Refused } from '../core/api/problem.ts'
import { errorCode } from '../core/errors.ts'
import type { Video } from '../core/video.ts'
import { readRange } from './range.ts'

// The bytes of a video file, whole or in part. Only what a client takes is read.
export async function sourceReply(video: Video, method: string, header: string | undefined): Promise<Response> {
  const file = await openSource(video)
  try {
    const range = readRange(header, video.bytes)
    const headers = { 'content-type': typeOf(video), 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' }
    if (range.kind === 'unsatisfiable') {
      await file.close()
      return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${video.bytes}` } })
    }
    const { start, end } = range.kind === 'part' ? range : { start: 0, end: video.bytes - 1 }
    const part = range.kind === 'part' && { 'content-range': `bytes ${start}-${end}/${video.bytes}` }
    const about = {
      status: part ? 206 : 200,
      headers: { ...headers, ...part, 'content-length': String(end - start + 1) },
    }
    if (method === 'HEAD') {
      await file.close()
      return new Response(null, about)
    }
    const bytes = file.createReadStream({ start, end, highWaterMark: 256 * 1024 })
    return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, about)
  } catch (error) {
    await file.close()
    throw error
  }
}

// The file that was probed and no other: a link, a pipe or another file in its place is refused, also one that came there after
// the path was looked at.
export async function openSource({ path, bytes }: Pick<Video, 'path' | 'bytes'>): Promise<FileHandle> {
  const gone = () => new Refused('unknown', 'The file of the video is not where it was.')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(error => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES'].includes(errorCode(error) ?? '')) throw gone()
    throw error
  })
  try {
    const opened = await file.stat()
    if (!opened.isFile() || (await realpath(path)) !== path) throw gone()
    const there = await stat(path)
    if (there.ino !== opened.ino || there.dev !== opened.dev) throw gone()
    if (opened.size !== bytes) throw new Refused('changed', 'The file has changed since it was indexed.')
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

const types: [container: RegExp, picture: string, sound: string][] = [
  [/matroska/, 'video/x-matroska', 'audio/x-matroska'],
  [/mp4|mov/, 'video/mp4', 'audio/mp4'],
  [/ogg/, 'video/ogg', 'audio/ogg'],
  [/mp3/, 'audio/mpeg', 'audio/mpeg'],
  [/flac/, 'audio/flac', 'audio/flac'],
  [/wav/, 'audio/wav', 'audio/wav'],
]

// From what the probe found in the file, never from its name.
function typeOf({ container, picture }: Video): string {
  if (/webm/.test(container) && /^(vp8|vp9|av1)$/.test(picture?.codec ?? '')) return 'video/webm'
  const [, ofPicture, ofSound] = types.find(([like]) => like.test(container)) ?? []
  return (picture ? ofPicture : ofSound) ?? 'application/octet-stream'
}
