import { BackendError } from '../../core/errors.ts'
import { formatSpan, type Span } from '../../core/time.ts'
import type { Video } from '../../core/video.ts'
import { openingClock, timeUntimed } from '../ffmpeg/clock.ts'
import { fileInput, safeInput } from '../ffmpeg/input-options.ts'
import { quoteName } from '../file/local-file.ts'
import { runProgram } from '../program/run-program.ts'
import { colourTags, shownPicture, shownSound } from './browser-form.ts'

export interface ClipWork {
  video: Video
  span: Span
  height: number // of the picture, at most
  small?: { framesPerSecond: number; bitsPerSecond: number } // where the file may have no more than so many bytes
  signal: AbortSignal
}

// Writes a span of a video as an MP4 file of its own, picture and sound from its second 0 on.
export async function makeClip({ video, span, height, small, signal }: ClipWork, file: string): Promise<void> {
  const { picture, sound } = video
  const clock = openingClock(video, { start: Math.max(0, span.start - runUp(video)), end: span.end })
  const [start, end] = [span.start, span.end].map(time => (clock.zero + time).toFixed(6))
  const graph = [
    ...(picture
      ? [
          `[0:${picture.index}]${timeUntimed(picture, clock)}settb=1/1000000,trim=start=${start}:end=${end},setpts=PTS-(${start})/TB,${await shownPicture(picture, height)}${small ? `,fps=${small.framesPerSecond}` : ''}[picture]`,
        ]
      : []),
    ...(sound
      ? [`[0:${sound.index}]anull,atrim=start=${start}:end=${end},asetpts=PTS-(${start})/TB,${shownSound}[sound]`]
      : []),
  ]
  const args = [
    ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
    ...[...safeInput, ...clock.inputOptions, '-i', fileInput(video.path), '-filter_complex', graph.join(';')],
    ...(picture ? ['-map', '[picture]', '-fps_mode', 'passthrough', '-enc_time_base:v', '1:120000'] : []),
    ...(sound
      ? ['-map', '[sound]', '-c:a', 'aac', ...(small ? ['-ac', '1', '-b:a', String(soundBits)] : ['-b:a', '160k'])]
      : []),
    ...['-c:v', 'libx264', '-preset', 'veryfast', ...quality(small), ...colourTags],
    ...['-t', (span.end - span.start).toFixed(6), '-movflags', '+faststart', '-f', 'mp4', fileInput(file)],
  ]
  const timeoutSeconds = 60 + 10 * (span.end - span.start)
  await runProgram('ffmpeg', args, { signal, timeoutSeconds, yields: true }).catch(cause => {
    if (!(cause instanceof BackendError)) throw cause
    throw new BackendError(`${quoteName(video.name)} ${formatSpan(span)} cannot be cut out: ${cause.message}`, {
      cause,
    })
  })
}

export const soundBits = 24_000 // a second, of a small file

function quality(small: ClipWork['small']): string[] {
  if (!small) return ['-crf', '23']
  const bits = String(Math.round(small.bitsPerSecond))
  return ['-b:v', bits, '-maxrate', bits, '-bufsize', bits]
}

// Streams without an index are entered somewhere near.
function runUp({ container }: Video): number {
  return /mpegts|mpeg/.test(container) ? 5 : 0
}
