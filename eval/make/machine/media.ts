import type { Span } from '../../../src/core/time.ts'
import { wavBytes } from '../../../src/media/audio.ts'
import { decodeFrames } from '../../../src/media/frames.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { probe } from '../../../src/media/probe/probe.ts'
import { openSound } from '../../../src/media/video-sound.ts'

// What stages and checks look at and listen to.
export interface MadeMedia {
  frames(video: string, times: readonly number[], size?: 'whole'): Promise<Uint8Array[]> // JPEG
  sounds(video: string, spans: readonly Span[]): Promise<Uint8Array[]> // WAV
}

const longerEdge = 1280 // pixels, as the released pipeline of LongShOT has it; many whole frames of 4K fit into no request

const requestsHeld = 4 // the latest: a check shows the same frames with each question about a video

export function openMedia(pathOf: (video: string) => string | Promise<string>, signal: AbortSignal): MadeMedia {
  const probed = new Map<string, ReturnType<typeof probe>>()
  const framesByRequest = new Map<string, Promise<Uint8Array[]>>()
  const findVideoFile = async (video: string) => {
    const path = await pathOf(video)
    const cachedProbe = probed.get(path) ?? probe(path)
    probed.set(path, cachedProbe)
    return cachedProbe
  }
  const decode = async (video: string, times: readonly number[], size?: 'whole') => {
    const videoProbe = await findVideoFile(video)
    const { width = 0, height = 0 } = videoProbe.picture ?? {}
    const fitting = Math.floor((width * longerEdge) / Math.max(1, longerEdge, width, height))
    const frames = await decodeFrames(videoProbe, [...times], { width: size === 'whole' ? undefined : fitting }, signal)
    return Promise.all(frames.map(frame => encodeJpeg(frame)))
  }
  return {
    frames(video, times, size) {
      const key = JSON.stringify([video, times, size])
      const frames = framesByRequest.get(key) ?? decode(video, times, size)
      framesByRequest.delete(key)
      framesByRequest.set(key, frames)
      const [oldest = key] = framesByRequest.keys()
      if (framesByRequest.size > requestsHeld) framesByRequest.delete(oldest)
      frames.catch(() => framesByRequest.delete(key))
      return frames
    },
    async sounds(video, spans) {
      const sound = openSound(await findVideoFile(video), signal)
      const read: Uint8Array[] = []
      for (const span of spans) {
        const samples = await sound.read(span)
        read.push(wavBytes(samples.length > 0 ? samples : new Float32Array(sound.rate))) // after its end all is silence
      }
      return read
    },
  }
}
