import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { Listener } from '../../src/core/services.ts'

const Settings = z.strictObject({})

const signal: Backend<Listener, z.infer<typeof Settings>> = {
  summary:
    'names sounds by their signal: speech-, music- and noise-like passages, beeps, bells, sirens, knocks; needs no model',
  version: '2',
  selfContained: true,
  settings: Settings,
  async open() {
    const { hearSignal } = await import('./signal/hear-signal.ts')
    return { hear: hearSignal }
  },
}

export default signal
