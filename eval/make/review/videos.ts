import { realpath } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { playable } from '../../../src/core/api/playable.ts'
import { absentAs } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { readVideos } from '../source/videos-json.ts'
import type { ReviewSet } from './review-set.ts'

// A video of the set as the page gets it.
export interface ReviewVideo {
  id: string
  file: string // below the set
  duration: number
  video?: Video // undefined: it is not there
  type?: string // undefined: no browser plays it
}

export async function reviewVideos({ folder, recipe }: ReviewSet): Promise<ReviewVideo[]> {
  const listed = await readVideos(folder)
  return Promise.all(
    listed.map(async ({ name, duration }): Promise<ReviewVideo> => {
      const file = `${recipe.videoFolder}/${name}`
      const path = await realpath(join(folder, file)).catch(absentAs(undefined))
      const setVideo = { id: basename(name, extname(name)), file, duration }
      if (path === undefined) return setVideo
      const video = await probe(path)
      const { way, type } = playable(video)
      return { ...setVideo, video, ...(way === 'direct' && { type }) }
    }),
  )
}

const width = 480

// JPEG; undefined if there is no picture at that time.
export async function extractStill(
  { video }: ReviewVideo,
  time: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (!video?.picture) return undefined
  const [frame] = await decodeFrames(video, [Math.min(time, Math.max(0, video.duration - 0.1))], { width }, signal)
  return frame && encodeJpeg(frame)
}

// Over the whole video, as nothing may point at the clue.
export function stillTimes({ duration }: Pick<ReviewVideo, 'duration'>): number[] {
  return Array.from({ length: 8 }, (_, at) => Number((((at + 0.5) * duration) / 8).toFixed(1)))
}
