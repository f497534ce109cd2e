import type { Video } from '../../core/video.ts'
import { fileInput, safeInput } from '../ffmpeg/input-options.ts'
import { runProgram } from '../program/program.ts'

// Where a file may be cut into pieces that are decoded side by side: presentation times of keyframes on the file's own clock.
export interface Seams {
  times: number[]
  reordered: boolean // whether frames are stored in another order than they are shown in
  why?: string // the reason why there are none
}

const none = (why: string): Seams => ({ times: [], reordered: false, why })

const targetsAtOnce = 2000

// One seam in about so many seconds. Only kinds of file with an index are entered in the middle: in others a seek is a guess.
export async function findSeams(video: Video, every: number, signal: AbortSignal): Promise<Seams> {
  const { picture } = video
  if (!picture) return none('there is no picture')
  if (!/mp4|mov|matroska|webm/.test(video.container))
    return none(`${video.container} files have no index to enter them by`)
  const targets: number[] = []
  for (let at = every; at < video.duration - every / 2 - 0.001; at += every) targets.push(video.start + at)
  if (targets.length === 0) return none('it is short')
  const lines: string[] = []
  // In parts, because an argument has a greatest length.
  for (let at = 0; at < targets.length; at += targetsAtOnce) {
    const some = targets.slice(at, at + targetsAtOnce)
    const { code, stdout } = await runProgram(
      'ffprobe',
      [
        ...['-hide_banner', '-v', 'error', ...safeInput, '-select_streams', String(picture.index)],
        ...['-read_intervals', some.map(target => `${target.toFixed(3)}%+#1`).join(',')],
        ...['-show_entries', 'packet=pts_time,flags:stream=has_b_frames', '-of', 'csv', '-i', fileInput(video.path)],
      ],
      { signal, failure: 'return', stallSeconds: 120 },
    )
    if (code !== 0) return none('its keyframes could not be read')
    for (const line of stdout.toString('latin1').split('\n')) lines.push(line)
  }
  const times = keyframesIn(lines, video.start, every)
  if (times.length === 0) return none('it has no keyframes in the middle')
  return { times, reordered: lines.some(line => /^stream,[1-9]/.test(line)) }
}

// Half a piece is the least that is worth a decoder of its own.
function keyframesIn(lines: string[], start: number, every: number): number[] {
  const times: number[] = []
  for (const line of lines) {
    const [kind, pts, flags = ''] = line.split(',')
    if (kind !== 'packet') continue
    const time = Number.parseFloat(pts)
    if (flags.includes('K') && time > (times.at(-1) ?? start) + every / 2) times.push(time)
  }
  return times
}
