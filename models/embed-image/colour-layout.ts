import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import { colourQuery } from './colour-query.ts'
import { dimensions, pictureVector } from './picture-vector.ts'

const Settings = z.strictObject({})

const colourLayout: Backend<ImageEncoder, z.infer<typeof Settings>> = {
  summary: 'compares pictures by colour and layout, and understands colour words; needs no model',
  version: '1',
  selfContained: true,
  settings: Settings,
  async open() {
    return {
      dimensions,
      minLikeness: 0.055, // a hundredth of the picture is of the colour
      async images(frames, signal) {
        const vectors: Float32Array[] = []
        for (const frame of frames) {
          await new Promise(setImmediate) // other work goes on between pictures
          signal.throwIfAborted()
          vectors.push(pictureVector(frame))
        }
        return vectors
      },
      async text(queries, signal) {
        signal.throwIfAborted()
        return queries.map(colourQuery)
      },
    }
  },
}

export default colourLayout
