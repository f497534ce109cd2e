import type { Stage } from '../../src/core/stage.ts'
import { mergeSpans, roundTime } from '../../src/core/time.ts'
import { decodedSound } from './decode.ts'
import { earlySound } from './early.ts'

// Voice activity detection. Writes voices.json; only these spans are transcribed.
const voices: Stage<'voice'> = {
  name: 'voices',
  version: 1,
  role: 'voice',
  track: 'speech',
  after: ['decode'],
  early: [earlySound],
  mayFail: true,
  skip: ({ video, subtitled, replaced }) =>
    (subtitled && 'subtitles are used') || (!video.sound && 'the video has no audio track') || replaced('speech'),
  async make(context) {
    const { service } = await context.open()
    const { audio } = await decodedSound(context)
    const voices = await service.voices(audio, context.signal)
    context.progress(audio.duration, audio.duration)
    await context.out.json(
      'voices.json',
      mergeSpans(voices).map(span => ({ start: roundTime(span.start), end: roundTime(span.end) })),
    )
  },
}
export default voices
