import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ShotFinder } from '../../src/core/services.ts'

const Settings = z.strictObject({
  seconds: z.number().min(0.1).max(3600).default(10).describe('length of each piece'),
})
type Settings = z.infer<typeof Settings>

// Looks at no picture at all: what shot finding is worth is measured against this.
const backend: Backend<ShotFinder, Settings> = {
  summary: 'pieces of one length, whatever the picture shows',
  version: '1',
  selfContained: true,
  settings: Settings,
  open: async ({ seconds }) => createFinder(seconds),
}
export default backend

function createFinder(seconds: number): ShotFinder {
  let piece: number | undefined
  return {
    push({ time }) {
      const now = Math.floor(time / seconds + 1e-6)
      const isNew = piece !== undefined && now !== piece
      piece = now
      return isNew ? [{ time, kind: 'cut', score: 0 }] : []
    },
    finish: () => [],
    save: () => piece,
    restore: saved => {
      piece = saved as number | undefined
    },
  }
}
