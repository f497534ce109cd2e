import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ShotFinder } from '../../src/core/services.ts'
import type { FinderSettings } from './difference-finder.ts'

const Settings = z.strictObject({
  sensitivity: z.number().min(0.25).max(4).default(1).describe('below 1 finds more boundaries, above 1 fewer'),
  shortestShot: z.number().min(0).max(10).default(0.2).describe('seconds; boundaries closer than this are one'),
  gradual: z.boolean().default(true).describe('also find dissolves, fades and wipes'),
})

const backend: Backend<ShotFinder, FinderSettings> = {
  summary: 'cuts, slide changes, dissolves, fades and wipes from small frames; flashes are not taken for cuts',
  version: '1',
  selfContained: true,
  settings: Settings,
  open: async settings => (await import('./difference-finder.ts')).createFinder(settings),
}
export default backend
