import { InputError } from '../../core/errors.ts'
import { formatTime, roundTime } from '../../core/time.ts'
import type { PictureStream, SoundStream } from '../../core/video.ts'
import { type LocalFile, quoteName } from '../file/local-file.ts'
import { packetTimes } from './ffprobe.ts'

// How long a video really is whose header says that it is longer than is accepted: as its packets have it. Longer ones are refused.
export async function acceptedLength(
  file: LocalFile,
  stream: PictureStream | SoundStream,
  declared: number,
  start: number,
  maxHours: number,
): Promise<{ duration: number; note?: string }> {
  if (declared <= maxHours * 3600) return { duration: declared }
  const times = await packetTimes(file, stream.index)
  const measuredLength = times && roundTime(times.end - start)
  if (measuredLength !== undefined && measuredLength >= 0 && measuredLength <= maxHours * 3600)
    return {
      duration: measuredLength,
      note: `The file declares a length of ${formatTime(declared)}, but its packets end at ${formatTime(measuredLength)}.`,
    }
  const jump = times?.jump
  const jumps = jump ? ` Its clock jumps from ${formatTime(jump.from - start)} to ${formatTime(jump.to - start)}.` : ''
  throw tooLong(file.name, Number.isFinite(measuredLength) ? (measuredLength as number) : declared, maxHours, jumps)
}

export function tooLong(name: string, seconds: number, maxHours: number, jumps = ''): InputError {
  return new InputError(
    `${quoteName(name)} is ${formatTime(seconds)} long, more than index.maxHours (${maxHours}) accepts.${jumps}`,
    {
      hint: jumps
        ? 'Cut it before the jump (ffmpeg -i FILE -t SECONDS -c copy out.mkv), or set its clock anew by encoding it again.'
        : `Cut it into parts, or accept it with --set index.maxHours=${Math.ceil(seconds / 3600)}.`,
    },
  )
}
