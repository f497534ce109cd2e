import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { playable } from '../../../src/core/api/playable.ts'
import { Refused } from '../../../src/core/api/problem.ts'
import { errorCode } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'

type Range = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

// An open end is answered with so much: a browser then asks again, and does not hold one of its six connections.
const openEnd = 4 * 1024 * 1024

// The bytes that a Range header asks for, the end included. One range; several are refused, as is one that holds no byte.
export function readRange(header: string | undefined, size: number): Range {
  if (header === undefined) return { kind: 'whole' }
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return { kind: 'unsatisfiable' }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const wantedEnd = first === '' ? size - 1 : last === '' ? start + openEnd - 1 : Number(last)
  const end = Math.min(wantedEnd, size - 1)
  return start <= end ? { kind: 'part', start, end } : { kind: 'unsatisfiable' }
}

// The bytes of a video file, whole or in part.
export async function sourceReply(video: Video, method: string, range: string | undefined): Promise<Response> {
  const [type = ''] = playable(video).type.split(';')
  return fileReply({ file: await openSource(video), bytes: video.bytes, type }, method, range)
}

interface Opened {
  file: FileHandle
  bytes: number
  type: string
}

// An opened file, whole or in part; it is closed in the end. Only what a client takes is read.
export async function fileReply(
  { file, bytes, type }: Opened,
  method: string,
  header: string | undefined,
): Promise<Response> {
  try {
    const range = readRange(header, bytes)
    const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' }
    if (range.kind === 'unsatisfiable') {
      await file.close()
      return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes}` } })
    }
    const { start, end } = range.kind === 'part' ? range : { start: 0, end: bytes - 1 }
    const rangeHeader = range.kind === 'part' && { 'content-range': `bytes ${start}-${end}/${bytes}` }
    const about = {
      status: rangeHeader ? 206 : 200,
      headers: { ...headers, ...rangeHeader, 'content-length': String(end - start + 1) },
    }
    if (method === 'HEAD') {
      await file.close()
      return new Response(null, about)
    }
    const read = file.createReadStream({ start, end, highWaterMark: 256 * 1024 })
    return new Response(Readable.toWeb(read) as ReadableStream<Uint8Array>, about)
  } catch (error) {
    await file.close()
    throw error
  }
}

// The file that was probed and no other: a link, a pipe or another file in its place is refused, also one that came there after
// the path was looked at.
export async function openSource({ path, bytes }: Pick<Video, 'path' | 'bytes'>): Promise<FileHandle> {
  const gone = () => new Refused('unknown', 'The file of the video is missing.')
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
