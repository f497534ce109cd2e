import { open } from 'node:fs/promises'
import { BackendError } from '../core/errors.ts'
import { formatSpan, type Span } from '../core/time.ts'
import type { AudioSource, Video } from '../core/video.ts'
import { openingClock } from './clock.ts'
import { ffmpegArguments } from './ffmpeg-command.ts'
import { quoteName } from './local-file.ts'
import { soundGraph } from './pass-command.ts'
import { runProgram } from './program.ts'

const rate = 16_000

// Sound that the decode pass has written to a file (s16le, 16 kHz, mono). The file is opened for each read, so nothing is left open.
// Of several places the first that is there counts: the file may move from one to the next while it is read.
export async function pcmFile(...places: string[]): Promise<AudioSource> {
  const file = await openFirst(places)
  const { size } = await file.stat().finally(() => file.close())
  const samples = Math.floor(size / 2)
  return {
    duration: samples / rate,
    rate,
    async read(span) {
      const { first, count } = samplesIn(span, samples)
      const bytes = Buffer.alloc(count * 2)
      const file = await openFirst(places)
      try {
        await readFully(file, bytes, first * 2)
      } finally {
        await file.close()
      }
      return floats(bytes)
    },
  }
}

async function openFirst([path, ...others]: string[]): Promise<Awaited<ReturnType<typeof open>>> {
  return open(path, 'r').catch(error => {
    if (others.length === 0) throw error
    return openFirst(others)
  })
}

// Sound decoded from the video itself, span by span; for callers before the index, or without it.
export function soundOf(video: Video, signal?: AbortSignal): AudioSource {
  const { sound } = video
  if (!sound) throw new BackendError(`${quoteName(video.name)} has no audio track.`)
  const duration = sound.duration === undefined ? video.duration : sound.start + sound.duration - video.start
  return {
    duration,
    rate,
    async read(span) {
      const { first, count } = samplesIn(span, Math.ceil(duration * rate))
      if (count === 0) return new Float32Array()
      const exact = { start: first / rate, end: (first + count) / rate }
      const clock = openingClock({ ...video, picture: undefined }, exact)
      const args = await ffmpegArguments({
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
      return floats(bytes)
    },
  }
}

// A WAV file: 16 kHz, mono, 16 bits.
export function wavBytes(samples: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples.length * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20) // PCM
  bytes.writeUInt16LE(1, 22) // one channel
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples.length * 2, 40)
  samples.forEach((sample, i) => {
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))), 44 + i * 2)
  })
  return new Uint8Array(bytes)
}

// Which samples a span covers, inside what there is.
function samplesIn(span: Span, samples: number): { first: number; count: number } {
  const first = Math.min(samples, Math.max(0, Math.round(span.start * rate)))
  const end = Math.min(samples, Math.max(first, Math.round(span.end * rate)))
  return { first, count: end - first }
}

async function readFully(file: Awaited<ReturnType<typeof open>>, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, position + at)
    if (bytesRead === 0) throw new BackendError('The sound file became shorter while it was read.')
    at += bytesRead
  }
}

function floats(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length >> 1)
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(i * 2) / 32_768
  return samples
}
