import { stamp } from '../../src/core/evidence.ts'
import type { TextLine } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import type { Still } from '../../src/core/video.ts'
import { earlyStills } from './early.ts'

const batch = 4
const pause = 1 // seconds within a shot between two readings, however much moves

// Reads the text on every still and follows it over time. Writes evidence.jsonl.
const text: Stage<'readText'> = {
  name: 'text',
  version: 2,
  role: 'readText',
  track: 'text',
  rows: true,
  after: ['decode'],
  early: [earlyStills],
  behind: { voices: 'few cores' },
  mayFail: true,
  skip: ({ video }) => !video.picture && 'the video has no picture',
  settings: ({ chosenStills }) => ({ stills: chosenStills }),
  megabytes: async given => (await import('./stills/picture-memory.ts')).pictureMegabytes(given, 1280),
  async make(context) {
    const { openJournal } = await import('./journal.ts')
    const { overStills } = await import('./stills/over-stills.ts')
    const { trackText } = await import('./text/track-text.ts')
    const { out, signal, video } = context
    const { service, by } = await context.open()
    const journal = await openJournal<TextLine[]>(out.parts)
    const { stills, shots, made } = await overStills(context, {
      size: batch,
      chooser: worthReading,
      journal,
      work: frames => service.read(frames, signal),
    })
    const readings = stills.map(still => ({ still, lines: made.get(still.offset) as TextLine[] }))
    const end = shots.at(-1)?.end ?? video.duration
    const found = trackText(readings, shots, end)
    await out.lines(
      'evidence.jsonl',
      found.map(finding => stamp(finding, video.id, by)),
    )
  },
}
export default text

// A new shot is always read; within one, motion alone must not have every still read.
function worthReading(): (still: Still) => boolean {
  let last: Still | undefined
  return still => {
    const due = !last || still.shot !== last.shot || still.time - last.time >= pause
    if (due) last = still
    return due
  }
}
