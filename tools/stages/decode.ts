import type { Stage, StageContext } from '../../src/core/stage.ts'
import type { Span } from '../../src/core/time.ts'
import type { AudioSource } from '../../src/core/video.ts'
import { earlySound } from './early.ts'

// The one pass over the file: shots, stills and sound together.
const decode: Stage<'shots'> = {
  name: 'decode',
  version: 6,
  role: 'shots',
  after: [],
  source: true,
  settings: ({ settings: { stillsPerSecond, stillWidth, level } }) => ({ stillsPerSecond, stillWidth, level }),
  // If only keyframes are decoded, shots are found in one way only, whichever backend is set.
  instead: ({ settings }) =>
    settings.level === 'quick' ? { role: undefined, by: 'shots/keyframes', make: fromKeyframes } : undefined,
  async megabytes({ video: { picture }, settings }, room) {
    const { decodeMegabytes, decodersThatFit } = await import('../../src/media/pass/decode-memory.ts')
    return decodeMegabytes(picture, room === 0 ? 1 : decodersThatFit(picture, settings.segments === 1 ? 1 : 2))
  },
  async make(context) {
    const { decodeFile } = await import('./decode/decode-file.ts')
    await decodeFile(context, (await context.open()).service)
  },
}
export default decode

async function fromKeyframes(context: StageContext): Promise<void> {
  const { decodeFile } = await import('./decode/decode-file.ts')
  const { keyframeShots } = await import('./decode/keyframe-shots.ts')
  await decodeFile(context, keyframeShots())
}

// The sound that was decoded, and where it has none. It moves when the stage becomes whole.
export async function decodedSound(context: StageContext): Promise<{ audio: AudioSource; gaps?: readonly Span[] }> {
  const { pcmFile } = await import('../../src/media/audio.ts')
  const [early] = context.pipeline.published(earlySound)
  const final = context.results.place('decode', 'sound.pcm')
  if (early) return { audio: await pcmFile(early.file, final), gaps: early.gaps }
  const { readPassReport } = await import('./results.ts')
  return { audio: await pcmFile(final), gaps: (await readPassReport(context)).audio?.gaps }
}
