import { BackendError } from '../core/errors.ts'
import { formatSpan } from '../core/time.ts'
import type { AudioSource, Video } from '../core/video.ts'
import { pcmToFloats, sampleRate, samplesIn } from './audio.ts'
import { openingClock } from './ffmpeg/clock.ts'
import { ffmpegArguments } from './ffmpeg/ffmpeg-arguments.ts'
import { quoteName } from './file/local-file.ts'
import { soundGraph } from './pass/pass-command.ts'
import { runProgram } from './program/run-program.ts'

// Sound decoded from the video itself, span by span; for callers before the index, or without it.
export function openSound(video: Video, signal?: AbortSignal): AudioSource {
  const { sound } = video
  if (!sound) throw new BackendError(`${quoteName(video.name)} has no audio track.`)
  const duration = sound.duration === undefined ? video.duration : sound.start + sound.duration - video.start
  return {
    duration,
    rate: sampleRate,
    async read(span) {
      const { first, count } = samplesIn(span, Math.ceil(duration * sampleRate))
      if (count === 0) return new Float32Array()
      const exact = { start: first / sampleRate, end: (first + count) / sampleRate }
      const clock = openingClock({ ...video, picture: undefined }, exact)
      const args = ffmpegArguments({
        input: video,
        inputOptions: clock.inputOptions,
        graph: soundGraph(sound, clock, exact),
        outputs: [{ options: ['-map', '[sound]', '-c:a', 'pcm_s16le', '-f', 's16le'], pipe: 1 }],
      })
      const limit = { stallSeconds: 180, maxStdoutBytes: count * 2 + 65_536 }
      const { stdout } = await runProgram('ffmpeg', args, { signal, ...limit }).catch(cause => {
        if (!(cause instanceof BackendError)) throw cause
        throw new BackendError(
          `The sound of ${quoteName(video.name)} ${formatSpan(span)} cannot be read: ${cause.message}`,
          {
            cause,
          },
        )
      })
      // A sound that ends before the span does is silence from there on.
      const bytes = Buffer.alloc(count * 2)
      stdout.copy(bytes, 0, 0, bytes.length)
      return pcmToFloats(bytes)
    },
  }
}
