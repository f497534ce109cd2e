import { Readable } from 'node:stream'
import { untilAborted } from '../../core/basics/signals.ts'
import { BackendError, errorText, InterruptedError, LongtakeError, UsageError } from '../../core/errors.ts'
import type { Span } from '../../core/time.ts'
import { sampleRate } from '../audio.ts'
import { requireProgram } from '../program/run-program.ts'
import { matroskaHead, matroskaPiece } from './matroska.ts'
import { dissolve, type Planes } from './planes.ts'
import { countFrames, type Script, sceneStarts } from './scene.ts'
import { type ScenePainter, scenePainter } from './scene-painter.ts'
import { type Soundtrack, soundtrack } from './soundtrack.ts'

interface RenderOptions {
  signal: AbortSignal
  onProgress?: (done: number, total: number) => void // seconds of the video
}

export interface RenderReport {
  frames: number
  seconds: number
  cues: Span[] // where each cue of the script is heard, in its order
}

// Renders a script to an MP4 file (H.264 and AAC) that ffmpeg itself writes: an export, no state of the library. The caller gives
// a temporary name and renames it when this returns. The same script gives the same bytes with the same ffmpeg.
export async function renderVideo(script: Script, path: string, options: RenderOptions): Promise<RenderReport> {
  checkScript(script)
  const frames = countFrames(script)
  const sound = await soundtrack(script, options.signal)
  await encode(script, path, Readable.from(interleaved(script, sound, options)), options.signal)
  return { frames, seconds: frames / script.fps, cues: sound.spans }
}

async function encode(script: Script, path: string, pieces: Readable, signal: AbortSignal): Promise<void> {
  const { default: ffmpeg } = await import('fluent-ffmpeg')
  const keyframes = String(script.fps * 2)
  const command = ffmpeg(pieces)
    .setFfmpegPath(await requireProgram('ffmpeg'))
    .inputFormat('matroska')
    .outputOptions('-y', '-map', '0:v:0', '-map', '0:a:0', '-map_metadata', '-1', '-fflags', '+bitexact')
    .outputOptions('-vf', `fps=${script.fps}:start_time=0`, '-frames:v', String(countFrames(script)))
    .outputOptions('-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '23', '-threads', '2', '-flags:v', '+bitexact')
    .outputOptions('-g', keyframes, '-keyint_min', keyframes, '-sc_threshold', '0', '-pix_fmt', 'yuv420p')
    .outputOptions('-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv')
    .outputOptions('-c:a', 'aac', '-b:a', '64k', '-flags:a', '+bitexact', '-movflags', '+faststart', '-f', 'mp4')
  const written = new Promise((resolve, reject) => {
    command.on('start', () => signal.aborted && command.kill('SIGKILL'))
    command.on('end', resolve).on('error', reject).save(`file:${path}`)
  })
  try {
    await untilAborted(written, signal)
  } catch (cause) {
    command.kill('SIGKILL')
    await written.catch(() => {})
    if (signal.aborted) throw new InterruptedError('ffmpeg was interrupted.', { cause: signal.reason })
    // What went wrong in our own stream is wrapped, and says more.
    const { inputStreamError = cause } = cause as { inputStreamError?: unknown }
    if (inputStreamError instanceof LongtakeError) throw inputStreamError
    throw new BackendError(`ffmpeg could not render ${path}: ${errorText(cause).trim().replace(/\.?$/, '.')}`, {
      cause,
    })
  } finally {
    pieces.destroy()
  }
}

// Pictures and sound by time. A picture that stays is sent again every second, so that ffmpeg never waits for the next one.
async function* interleaved(script: Script, sound: Soundtrack, options: RenderOptions): AsyncGenerator<Uint8Array> {
  const { fps } = script
  const total = countFrames(script)
  const milliseconds = (frame: number) => Math.round((frame * 1000) / fps)
  const seen = pictures(script, options.signal)
  let currentFrame = (await seen.next()).value!
  let next = await seen.next()
  yield matroskaHead({ ...script, rate: sampleRate })
  for await (const { first, samples } of sound.pieces) {
    const from = Math.round((first / sampleRate) * fps)
    const to = Math.min(total, from + fps)
    yield matroskaPiece('sound', Math.round((first * 1000) / sampleRate), samples.byteLength)
    yield new Uint8Array(samples.buffer)
    for (let frame = from; frame < to; frame++) {
      const fresh = !next.done && next.value.frame === frame
      if (fresh) {
        currentFrame = next.value!
        next = await seen.next()
      }
      if (!fresh && frame !== from && frame !== total - 1) continue
      yield matroskaPiece('picture', milliseconds(frame), currentFrame.bytes.length)
      yield currentFrame.bytes
    }
    options.onProgress?.(to / fps, total / fps)
  }
}

// Stops at the first thing in a script that could not be rendered as it says.
export function checkScript(script: Script): void {
  const wrong = findFault(script)
  if (wrong) throw new UsageError(`The script "${script.title}" cannot be rendered: ${wrong}.`)
}

function findFault({ width, height, fps, scenes, cues, ...rest }: Script): string | undefined {
  const whole = (value: number, min: number) => Number.isInteger(value) && value >= min
  if (!whole(width / 2, 8) || !whole(height / 2, 8)) return `${width}x${height} is not an even size of at least 16x16`
  if (!whole(fps, 1) || sampleRate % fps !== 0) return `${fps} frames a second do not divide ${sampleRate} samples`
  if (scenes.length === 0) return 'it has no scene'
  for (const [index, scene] of scenes.entries()) {
    if (!whole(scene.frames, 1)) return `scene ${index} has ${scene.frames} frames`
    if (scene.opens.kind === 'dissolve' && (!whole(scene.opens.frames, 1) || scene.opens.frames > scene.frames))
      return `scene ${index} of ${scene.frames} frames opens with a dissolve of ${scene.opens.frames}`
  }
  const total = countFrames({ width, height, fps, scenes, cues, ...rest })
  for (const [index, cue] of cues.entries()) {
    if (!whole(cue.at, 0) || cue.at >= total) return `cue ${index} is at frame ${cue.at} of ${total}`
    if (cue.kind === 'sound' && !whole(cue.frames, 1)) return `cue ${index} lasts ${cue.frames} frames`
  }
}

// A picture and the first frame that shows it; it stays until the next one.
interface Picture {
  frame: number
  bytes: Uint8Array
}

// The pictures of a script in order, each one that differs from the one before it.
async function* pictures(script: Script, signal: AbortSignal): AsyncGenerator<Picture> {
  const starts = sceneStarts(script)
  let before: { painter: ScenePainter; frames: number } | undefined
  for (const [index, scene] of script.scenes.entries()) {
    const painter = await scenePainter(scene, script)
    const mixed = before && scene.opens.kind === 'dissolve' ? scene.opens.frames : 0
    let last: string | undefined
    for (let frame = 0; frame < scene.frames; frame++) {
      signal.throwIfAborted()
      const state = painter.stateAt(frame)
      if (frame >= mixed && state === last) continue
      last = frame >= mixed ? state : undefined
      const picture = painter.paint(frame)
      if (before && frame < mixed) shineThrough(picture, before, frame, mixed)
      yield { frame: starts[index]! + frame, bytes: picture.bytes }
    }
    before = { painter, frames: scene.frames }
  }
}

// The scene before goes on beneath the new one, so that nothing freezes while it fades.
function shineThrough(
  picture: Planes,
  before: { painter: ScenePainter; frames: number },
  frame: number,
  mixed: number,
): void {
  dissolve(picture, before.painter.paint(before.frames + frame), 1 - (frame + 1) / (mixed + 1))
}
