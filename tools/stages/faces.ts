import type { Face } from '../../src/core/services.ts'
import type { Stage } from '../../src/core/stage.ts'
import { ofStills } from './early.ts'
import { worthSeeing } from './faces/worth-seeing.ts'

const batch = 4

// Whose faces the stills show, for the registry of people. Writes faces.json.
const faces: Stage<'faces'> = {
  name: 'faces',
  version: 1,
  role: 'faces',
  ...ofStills,
  wanted: ({ settings, isOff }) => settings.people && settings.faces && !isOff('faces'),
  extra: true,
  forecast: async given => (await import('./faces/forecast.ts')).facesCost(given),
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
      const faces = made.get(offset)
      return faces ? [{ time, faces: faces }] : []
    })
    await context.out.json(
      'faces.json',
      looks.sort((a, b) => a.time - b.time),
    )
  },
}
export default faces
