import type { Face } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import type { Still } from '../../src/core/video.ts'
import { ofStills } from './early.ts'

const batch = 4
const pause = 10 // seconds within a shot between two looks

// Whose faces the stills show, for the registry of people. Writes faces.json.
const faces: Stage<'faces'> = {
  name: 'faces',
  version: 1,
  role: 'faces',
  ...ofStills,
  wanted: ({ settings, isOff }) => settings.people && settings.faces && !isOff('faces'),
  megabytes: async given => (await import('./stills/over-stills.ts')).pictureMegabytes(given, 1280),
  async make(context) {
    const { overStills } = await import('./stills/over-stills.ts')
    const { service } = await context.open()
    const { stills, made } = await overStills<Face[]>(context, {
      size: batch,
      chooser: worthSeeing,
      work: frames => service.faces(frames, context.signal),
    })
    const looks = stills.flatMap(({ time, offset }) => {
      const found = made.get(offset)
      return found ? [{ time, faces: found }] : []
    })
    await context.out.json(
      'faces.json',
      looks.sort((a, b) => a.time - b.time),
    )
  },
}
export default faces

function worthSeeing(): (still: Still) => boolean {
  let last: Still | undefined
  return still => {
    const due = !last || still.shot !== last.shot || still.time - last.time >= pause
    if (due) last = still
    return due
  }
}
