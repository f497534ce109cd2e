import type { Video } from '../../core/video.ts'
import { listPackets } from '../probe/ffprobe.ts'

// Where a file may be cut into pieces that are decoded side by side: presentation times of keyframes on the file's own clock.
export interface SplitPoints {
  times: number[]
  reordered: boolean // whether frames are stored in another order than they are shown in
  why?: string // the reason why there are none
}

const none = (why: string): SplitPoints => ({ times: [], reordered: false, why })

const targetsAtOnce = 2000

// One split point in about so many seconds. Only containers with an index are entered in the middle: in others a seek is a guess.
export async function findSplitPoints(video: Video, every: number, signal: AbortSignal): Promise<SplitPoints> {
  const { picture } = video
  if (!picture) return none('there is no picture')
  if (!/mp4|mov|matroska|webm/.test(video.container))
    return none(`${video.container} files have no index to enter them by`)
  const targets: number[] = []
  for (let at = every; at < video.duration - every / 2 - 0.001; at += every) targets.push(video.start + at)
  if (targets.length === 0) return none('it is short')
  const lines: string[] = [] // "12.48,K__" of a packet, "2" of the stream
  // In parts, because an argument has a max length.
  for (let at = 0; at < targets.length; at += targetsAtOnce) {
    const some = targets.slice(at, at + targetsAtOnce)
    const intervals = some.map(target => `${target.toFixed(3)}%+#1`).join(',')
    const packetQuery = { stream: picture.index, intervals, show: 'packet=pts_time,flags:stream=has_b_frames' }
    if ((await listPackets(video.path, packetQuery, line => lines.push(line), signal)) !== 0)
      return none('its keyframes could not be read')
  }
  const times = keyframesIn(lines, video.start, every)
  if (times.length === 0) return none('it has no keyframes in the middle')
  return { times, reordered: lines.some(line => /^[1-9]\d*$/.test(line)) }
}

// Less than half a piece is not worth a decoder of its own.
function keyframesIn(lines: string[], start: number, every: number): number[] {
  const times: number[] = []
  for (const line of lines) {
    const [pts = '', flags = ''] = line.split(',')
    const time = Number.parseFloat(pts)
    if (flags.includes('K') && time > (times.at(-1) ?? start) + every / 2) times.push(time)
  }
  return times
}
