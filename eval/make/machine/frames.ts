import { framesAt } from '../../../src/media/frames.ts'
import { encodeJpeg } from '../../../src/media/image.ts'
import { probe } from '../../../src/media/probe/probe.ts'

// The pictures of videos that stages and checks look at, as JPEG.
export function framesOf(pathOf: (video: string) => string | Promise<string>, signal: AbortSignal) {
  const probed = new Map<string, ReturnType<typeof probe>>()
  return async (video: string, times: readonly number[]): Promise<Uint8Array[]> => {
    const path = await pathOf(video)
    const found = probed.get(path) ?? probe(path)
    probed.set(path, found)
    const frames = await framesAt(await found, [...times], {}, signal)
    return Promise.all(frames.map(frame => encodeJpeg(frame)))
  }
}
