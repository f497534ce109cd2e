import { BackendError } from '../../src/core/errors.ts'
import type { Video } from '../../src/core/video.ts'
import { listPackets } from '../../src/media/probe/ffprobe.ts'

// The seconds of the frames that are coded on their own, in order.
export async function keyframeTimes(video: Video, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  const take = (line: string) => {
    const [time, flags = ''] = line.split(',')
    const seconds = Number.parseFloat(time ?? '') - video.start
    if (flags.startsWith('K') && seconds >= 0 && seconds <= video.duration) times.push(seconds)
  }
  await listPackets(video.path, { stream: video.picture?.index, show: 'packet=pts_time,flags' }, take, signal)
  if (times.length === 0) throw new BackendError(`${video.name} has no key frame with a time, so none can be shown.`)
  return times.sort((a, b) => a - b)
}
