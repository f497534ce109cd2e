import type { SpeakerTurn } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import { decodedSound } from './decode.ts'
import { need, readStageRows } from './results.ts'

// Who says each line of speech: "Speaker 1" is whoever speaks first. Lines are split where the speaker changes, as far as the times of
// words allow. Writes evidence.jsonl, the lines of the speech stage anew, and turns.json.
const speakers: Stage<'speakers'> = {
  name: 'speakers',
  version: 1,
  role: 'speakers',
  track: 'speech',
  rows: true,
  replaces: 'speech',
  after: ['decode', 'speech'],
  mayFail: true,
  skip: ({ video }) => !video.sound && 'the video has no audio track',
  async make(context) {
    const { out, signal, video } = context
    const lines = await readStageRows(need(context.results.result('speech')))
    const isNamed = lines.some(line => line.speaker)
    if (isNamed) out.note('the subtitles name the speakers')
    const turns: SpeakerTurn[] = []
    if (lines.length > 0 && !isNamed) {
      const { service } = await context.open()
      const { audio } = await decodedSound(context)
      for await (const turn of service.turns(audio, signal)) {
        turns.push(turn)
        context.progress(turn.span.end, video.duration)
      }
    }
    const { nameSpeakers } = await import('./speakers/name-speakers.ts')
    const named = nameSpeakers(lines, turns)
    await out.json('turns.json', named.turns)
    await out.lines('evidence.jsonl', named.lines)
  },
}
export default speakers
