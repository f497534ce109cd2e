import { stamp } from '../../src/core/evidence.ts'
import type { TextLine } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import { ofStills } from './early.ts'
import { need, stillList } from './results.ts'
import { worthReading } from './text/worth-reading.ts'

const batch = 4

// Reads the text on every still and follows it over time. Writes evidence.jsonl.
const text: Stage<'readText'> = {
  name: 'text',
  version: 5,
  role: 'readText',
  track: 'text',
  rows: true,
  ...ofStills,
  megabytes: async given => (await import('./stills/over-stills.ts')).pictureMegabytes(given, 1280),
  async make(context) {
    const { overStills } = await import('./stills/over-stills.ts')
    const { trackText } = await import('./text/track-text.ts')
    const { out, signal, video } = context
    const { service, by } = await context.open()
    const { stills, shots, made } = await overStills<TextLine[]>(context, {
      size: batch,
      atOnce: () => service.atOnce,
      chooser: worthReading,
      work: frames => service.read(frames, signal),
    })
    const readings = stills.map(still => ({ still, lines: made.get(still.offset) as TextLine[] }))
    const keptStills = await stillList(need(context.results.result('decode')), context.keepsStill)
    const textRows = trackText(readings, shots, shots.at(-1)?.end ?? video.duration, keptStills)
    await out.lines(
      'evidence.jsonl',
      textRows.map(finding => stamp(finding, video.id, by)),
    )
  },
}
export default text
