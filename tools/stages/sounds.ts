import { stamp } from '../../src/core/evidence.ts'
import type { Stage } from '../../src/core/stage.ts'
import { clampSpan, gapsBetween, overlap } from '../../src/core/time.ts'
import { decodedSound } from './decode.ts'
import { earlySound } from './early.ts'

// Sounds that are not words, over the whole video. Writes evidence.jsonl.
const sounds: Stage<'hear'> = {
  name: 'sounds',
  version: 1,
  role: 'hear',
  track: 'sound',
  rows: true,
  after: ['decode'],
  early: [earlySound],
  runAfter: { voices: 'always' },
  mayFail: true,
  skip: ({ video }) => !video.sound && 'the video has no audio track',
  async make(context) {
    const { video, signal } = context
    const { service, by } = await context.open()
    const { audio, gaps } = await decodedSound(context)
    const { soundHoles } = await import('./overview/coverage.ts')
    const holes = soundHoles(video, gaps) // silence that stands for sound that could not be decoded
    await context.out.lines('evidence.jsonl', rows())

    async function* rows() {
      for await (const sound of service.hear({ audio, span: { start: 0, end: audio.duration } }, signal)) {
        context.progress(sound.span.end, video.duration)
        const span = clampSpan(sound.span, video.duration)
        for (const heard of holes.some(hole => overlap(hole, span) > 0) ? gapsBetween(holes, span) : [span])
          yield stamp({ ...sound, span: heard }, video.id, by)
      }
    }
  },
}
export default sounds
