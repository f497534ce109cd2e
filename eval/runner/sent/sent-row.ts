import { hostname } from 'node:os'
import { z } from 'zod'
import { contentHash } from '../../../src/core/json.ts'
import { judgeModes } from '../../protocols/judge/protocol.ts'
import type { AblationChange } from '../changes/change.ts'
import type { AblationFault } from '../changes/fault.ts'

const amount = z.number().min(0).max(1)
const SentFault: z.ZodType<AblationFault> = z.discriminatedUnion('target', [
  z.strictObject({ target: z.literal('asr'), measure: z.literal('wer'), amount }),
  z.strictObject({ target: z.literal('ocr'), measure: z.literal('cer'), amount }),
  z.strictObject({ target: z.literal('frames'), measure: z.literal('drop'), amount }),
  z.strictObject({ target: z.literal('tool'), tool: z.string(), amount }),
])
const name = z.string()
const SentChange: z.ZodType<AblationChange> = z.union([
  z.strictObject({ kind: z.literal('without'), what: z.enum(['tool', 'track', 'policy']), name }),
  z.strictObject({ kind: z.literal('swap'), role: name, backend: name, model: name.optional() }),
  z.strictObject({ kind: z.literal('set'), key: name, value: name }),
  z.strictObject({ kind: z.literal('option'), name, value: name }),
  z.strictObject({ kind: z.literal('graph'), name }),
  z.strictObject({ kind: z.literal('judge-mode'), mode: z.enum(judgeModes) }),
  z.strictObject({ kind: z.literal('fault'), fault: SentFault }),
])

// A row of an ablation as another machine has to know it. Settings that it changes are in the settings of its run.
export const SentRow = z.strictObject({
  study: z.string(),
  seed: z.number(),
  row: z.strictObject({ id: name, name, changes: z.array(SentChange) }),
})
export type SentRow = z.infer<typeof SentRow>

interface RowToSend {
  id: string
  name: string
  changes: readonly AblationChange[]
}

// Undefined where the row needs what only the machine with the annotations has: then it is asked there.
export function rowToSend({ id, name, changes }: RowToSend, seed: number, study: string): SentRow | undefined {
  if (changes.some(change => change.kind === 'oracle')) return undefined
  return { study: contentHash([hostname(), study]).slice(0, 16), seed, row: { id, name, changes: [...changes] } }
}
