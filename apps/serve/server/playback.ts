import { open } from 'node:fs/promises'
import type { Context, Hono } from 'hono'
import { Refused } from '../../../src/core/api/problem.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { Span } from '../../../src/core/time.ts'
import type { Video } from '../../../src/core/video.ts'
import { vtt } from '../../../src/core/words/export-formats.ts'
import type { Playback, Source } from '../work/videos/playback.ts'
import { readIndex, type ServedRuntime, stillAt } from '../work/videos/video-view.ts'
import { fileReply, openSource } from './media.ts'
import { notFound, type Serves } from './mount.ts'

interface PlaybackDoors {
  served: ServedRuntime
  playback: Playback
  signedVideo(id: string, signature: string): Promise<Video> // throws where the signature is not of this video
}

const cacheHeader = { 'cache-control': 'private, max-age=600' }
const longestClip = 600 // seconds

// What players load besides the file itself: the pieces of HLS, captions and clips.
export function mountPlayback(app: Hono<Serves>, { served, playback, signedVideo }: PlaybackDoors): void {
  const base = '/media/:signature/:video'
  // Of the index, or from the file where there is none.
  const keptStill = async (video: Video, second: number, signal: AbortSignal) =>
    readIndex(served, video, index => stillAt(index, second)).catch(async error => {
      if (!(error instanceof Refused) || error.code !== 'conflict') throw error
      return { jpeg: await playback.still(await lookAt(video), second, signal), time: undefined }
    })
  const findVideo = (context: Context<Serves, `${typeof base}/x`>) =>
    signedVideo(context.req.param('video'), context.req.param('signature'))

  app.get(`${base}/hls/index.m3u8`, async context => {
    const list = playback.playlist(await findVideo(context))
    return context.body(list, 200, { 'content-type': 'application/vnd.apple.mpegurl' })
  })
  app.get(`${base}/hls/init.mp4`, async context => {
    const source = await lookAt(await findVideo(context))
    const bytes = await playback.head(source, context.req.raw.signal)
    return context.body(new Uint8Array(bytes), 200, { 'content-type': 'video/mp4', ...cacheHeader })
  })
  app.get(`${base}/hls/:name{\\d+\\.m4s}`, async context => {
    const source = await lookAt(await findVideo(context))
    const [, n] = /^(0|[1-9]\d{0,6})\.m4s$/.exec(context.req.param('name')) ?? notFound()
    const bytes = await playback.piece(source, Number(n), context.req.raw.signal)
    return context.body(new Uint8Array(bytes ?? notFound()), 200, { 'content-type': 'video/mp4', ...cacheHeader })
  })
  app.get(`${base}/still/:name`, async context => {
    const video = await findVideo(context)
    const [, second] = /^(\d{1,7}(?:\.\d{1,6})?)\.jpg$/.exec(context.req.param('name')) ?? notFound()
    const { jpeg, time } = await keptStill(video, Number(second), context.req.raw.signal)
    const timeHeader: Record<string, string> = time === undefined ? {} : { 'longtake-time': String(time) }
    return context.body(new Uint8Array(jpeg), 200, { 'content-type': 'image/jpeg', ...timeHeader, ...cacheHeader })
  })
  app.get(`${base}/captions.vtt`, async context => {
    const text = await readIndex(served, await findVideo(context), index => vtt(index.evidence({ tracks: ['speech'] })))
    return context.body(text, 200, { 'content-type': 'text/vtt; charset=utf-8' })
  })
  app.get(`${base}/clip.mp4`, async context => {
    const source = await lookAt(await findVideo(context))
    const span = clipSpan(context.req.query(), source.video.duration)
    const file = await open(await playback.clip(source, span, context.req.raw.signal))
    const { size: bytes } = await file.stat()
    return fileReply({ file, bytes, type: 'video/mp4' }, context.req.method, context.req.header('range'))
  })
}

// The file must be the one that was probed, as for its own bytes.
async function lookAt(video: Video): Promise<Source> {
  await using file = await openSource(video)
  const { mtimeNs, ctimeNs } = await file.stat({ bigint: true })
  return { video, version: `${mtimeNs} ${ctimeNs}` }
}

function clipSpan({ from, to }: Record<string, string>, duration: number): Span {
  const [start, end] = [from, to].map(text => (/^\d{1,7}(\.\d{1,6})?$/.test(text ?? '') ? Number(text) : Number.NaN))
  if (start === undefined || end === undefined || !(start < end))
    throw new UsageError('A clip needs ?from and to in seconds, from before to.')
  if (start >= duration) throw new UsageError(`The video ends at ${duration} s.`)
  if (end - start > longestClip) throw new UsageError(`A clip may have ${longestClip} seconds at most.`)
  return { start, end: Math.min(end, duration) }
}
