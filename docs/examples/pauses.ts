import { z } from 'zod'
import { stamp } from '../../src/core/evidence.ts'
import type { Stage } from '../../src/core/stage.ts'
import { gapsBetween, Span, spanLength } from '../../src/core/time.ts'
import { need } from '../../tools/stages/results.ts'

const by = 'pauses/voices'

// Passages of five seconds and more in which nobody speaks. Writes evidence.jsonl.
const pauses: Stage = {
  name: 'pauses',
  version: 1,
  by,
  after: ['voices'],
  rows: true,
  async make({ video, out, results: { result } }) {
    const spoken = await need(result('voices')).json('voices.json', z.array(Span))
    const quiet = gapsBetween(spoken, { start: 0, end: video.duration }).filter(gap => spanLength(gap) >= 5)
    await out.lines(
      'evidence.jsonl',
      quiet.map(span => stamp({ span, track: 'sound', text: 'nobody speaks' }, video.id, by)),
    )
  },
}
export default pauses
