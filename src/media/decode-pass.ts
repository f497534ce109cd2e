import { z } from 'zod'
import { BackendError } from '../core/errors.ts'
import type { SmallFrame } from '../core/services.ts'
import { formatTime, roundTime, type Span } from '../core/time.ts'
import type { Video } from '../core/video.ts'
import { FrameClock, openingClock } from './clock.ts'
import { fittingSize, staysPale } from './filters.ts'
import { FrameTimes } from './frame-times.ts'
import { quoteName } from './local-file.ts'
import { passArguments, smallSize } from './pass-command.ts'
import { lastLine, type PipeReader, runProgram } from './program.ts'
import { blocksOf, jpegsOf, samplesOf } from './split-bytes.ts'

export const PassSettings = z.object({
  stillsPerSecond: z.number().positive().max(60).default(1).describe('candidate stills a second'),
  stillWidth: z.number().int().min(64).max(8192).default(1280).describe('widest a still may be; never enlarged'),
})
export type PassSettings = z.infer<typeof PassSettings>

export interface CandidateStill {
  time: number
  width: number
  height: number
  jpeg: Uint8Array
}

// Where the pass puts what it decodes. A promise holds the decoder back until it is settled.
export interface PassSinks {
  small?(frame: SmallFrame): void | Promise<void>
  still?(still: CandidateStill): void | Promise<void>
  audio?(pcm: Uint8Array): void | Promise<void> // s16le, 16 kHz, mono; the first sample is second 0 (or the span's start)
  progress?(seconds: number): void
}

// What was really decoded, to be held against the declared length.
export interface PassReport {
  picture?: { first: number; last: number; frames: number } // presentation times of the first and last frame
  audio?: { seconds: number } // how much there is, from second 0 (or the span's start)
  errors: number // complaints of the decoders
  notes: string[]
}

// One ffmpeg run over the file, or over a span of it: small planes of every frame, candidate stills, and sound.
// A file that ends early or is damaged is decoded as far as it goes, and the report says how far that was.
export async function decodePass(
  video: Video,
  settings: PassSettings,
  sinks: PassSinks,
  signal: AbortSignal,
  span?: Span,
): Promise<PassReport> {
  const picture = sinks.small || sinks.still ? video.picture : undefined
  const sound = sinks.audio ? video.sound : undefined
  if (!picture && !sound) return { errors: 0, notes: [] }

  // A stream that cannot be decoded at all keeps ffmpeg from starting; then the other one is taken alone.
  const tries = picture && sound ? [{ picture, sound }, { picture }, { sound }] : [{ picture, sound }]
  let refused = ''
  for (const [at, streams] of tries.entries()) {
    const { code, said, report } = await passOnce({ ...video, ...noStreams, ...streams }, settings, sinks, signal, span)
    if (code !== 0 && !report.picture && !report.audio) {
      refused ||= said
      continue
    }
    if (code !== 0) report.notes.push(`The decoder stopped early with code ${code}: ${said}`)
    if (at > 0) report.notes.push(`The ${at === 1 ? 'sound' : 'picture'} could not be decoded: ${refused}`)
    return report
  }
  throw new BackendError(`ffmpeg could not decode ${quoteName(video.name)}: ${refused}`, {
    hint: 'Check that it plays elsewhere; turning it into another kind may help: ffmpeg -i FILE out.mp4',
  })
}

const noStreams = { picture: undefined, sound: undefined }

async function passOnce(
  video: Video,
  settings: PassSettings,
  sinks: PassSinks,
  signal: AbortSignal,
  span?: Span,
): Promise<{ code: number; said: string; report: PassReport }> {
  const { picture, sound } = video
  const clock = openingClock(video, span)
  const size = picture ? fittingSize(picture, settings.stillWidth) : { width: 0, height: 0 }
  const stills = { ...size, perSecond: settings.stillsPerSecond }
  const args = await passArguments({ video, picture, sound, stills, span, clock })

  const report: PassReport = { errors: 0, notes: [] }
  const smallTimes = new FrameTimes()
  const stillTimes = new FrameTimes()
  const smallClock = new FrameClock(clock.zero, picture?.frameRate)
  const stillClock = new FrameClock(clock.zero, picture?.frameRate)
  const progress = everyHalfSecond(sinks.progress)

  const readSmall: PipeReader = async bytes => {
    for await (const blocks of blocksOf(bytes, smallBytes)) {
      for (const block of blocks) {
        const raw = smallTimes.take()
        const time = smallClock.time(raw instanceof Promise ? await raw : raw)
        report.picture ??= { first: roundTime(time), last: time, frames: 0 }
        report.picture.last = time
        report.picture.frames++
        const wait = sinks.small?.(smallFrame(time, block))
        if (wait) await wait
        progress(time)
      }
    }
  }
  const readStills: PipeReader = async bytes => {
    for await (const jpeg of jpegsOf(bytes)) {
      const time = stillClock.time(await stillTimes.take())
      await sinks.still?.({ time, ...size, jpeg })
    }
  }
  let soundBytes = 0
  const readSound: PipeReader = async bytes => {
    for await (const pcm of samplesOf(bytes)) {
      soundBytes += pcm.length
      const wait = sinks.audio?.(pcm)
      if (wait) await wait
      if (!picture) progress((span?.start ?? 0) + soundBytes / 32_000)
    }
  }

  const { code, stderr } = await runProgram('ffmpeg', args, {
    signal,
    pipes: [readSmall, smallTimes.read, readStills, stillTimes.read, readSound],
    failure: 'return',
    onStderrLine: line => {
      if (/\[(error|fatal|panic)\]/.test(line)) report.errors++
    },
    stallSeconds: 180,
    timeoutSeconds: 3600 + 100 * video.duration,
  })
  if (report.picture) report.picture.last = roundTime(report.picture.last)
  if (soundBytes > 0) report.audio = { seconds: roundTime(soundBytes / 32_000) }
  if (smallClock.jumpedAt !== undefined)
    report.notes.push(`The file's clock runs back at ${formatTime(smallClock.jumpedAt)}; times after it are unsure.`)
  if (!span && report.picture && report.picture.last > video.duration + 1)
    report.notes.push(
      `The file declares ${formatTime(video.duration)} but goes on to ${formatTime(report.picture.last)}; it may be joined from several.`,
    )
  if (picture && (await staysPale(picture)))
    report.notes.push('The picture is HDR and this ffmpeg cannot turn it into standard range, so its colours are pale.')
  return { code, said: lastLine(stderr), report }
}

const lumaBytes = smallSize.width * smallSize.height
const smallBytes = (lumaBytes * 3) / 2

function smallFrame(time: number, block: Uint8Array): SmallFrame {
  return {
    time,
    ...smallSize,
    y: block.subarray(0, lumaBytes),
    u: block.subarray(lumaBytes, (lumaBytes * 5) / 4),
    v: block.subarray((lumaBytes * 5) / 4),
  }
}

function everyHalfSecond(progress: PassSinks['progress']): (seconds: number) => void {
  let last = 0
  return seconds => {
    if (!progress || seconds < last + 0.5) return
    last = seconds
    progress(seconds)
  }
}
