import { hostname } from 'node:os'
import { z } from 'zod'
import { contentHash } from '../../src/core/json.ts'
import { FrozenIndex } from '../../src/runtime/index/frozen-index.ts'
import { AskedBy, splitAskedBy } from '../data/asked-by.ts'
import { judgeModes } from '../protocols/judge/protocol.ts'
import type { AblationChange } from './changes/change.ts'
import type { AblationFault } from './changes/fault.ts'

const amount = z.number().min(0).max(1)
const Fault: z.ZodType<AblationFault> = z.discriminatedUnion('target', [
  z.strictObject({ target: z.literal('asr'), measure: z.literal('wer'), amount }),
  z.strictObject({ target: z.literal('ocr'), measure: z.literal('cer'), amount }),
  z.strictObject({ target: z.literal('frames'), measure: z.literal('drop'), amount }),
  z.strictObject({ target: z.literal('tool'), tool: z.string(), amount }),
])
const name = z.string()
const RowChange: z.ZodType<AblationChange> = z.union([
  z.strictObject({ kind: z.literal('without'), what: z.enum(['tool', 'track', 'policy']), name }),
  z.strictObject({ kind: z.literal('swap'), role: name, backend: name, model: name.optional() }),
  z.strictObject({ kind: z.literal('set'), key: name, value: name }),
  z.strictObject({ kind: z.literal('option'), name, value: name }),
  z.strictObject({ kind: z.literal('graph'), name }),
  z.strictObject({ kind: z.literal('judge-mode'), mode: z.enum(judgeModes) }),
  z.strictObject({ kind: z.literal('fault'), fault: Fault }),
])

// A row of an ablation. Settings that it changes are in the settings of its run.
export const RowSpec = z.strictObject({
  study: z.string(),
  seed: z.number(),
  row: z.strictObject({ id: name, name, changes: z.array(RowChange) }),
})
export type RowSpec = z.infer<typeof RowSpec>

// All that decides how the questions of a run are asked, as plain data, so that every machine asks them alike; files are here as their
// text. Which servers are asked, with which keys, and what tools may do, each machine decides for itself.
export const RunSpec = z.strictObject({
  benchmark: z.string(),
  by: AskedBy.refine(by => splitAskedBy(by).command === undefined, 'a worker starts no command'),
  tasks: z.array(z.string()).min(1),
  options: z.record(z.string(), z.unknown()),
  judge: z.enum(['model', 'words', 'off']),
  mode: z.enum(judgeModes).optional(), // of the judge
  wording: z.string().optional(),
  prompts: z.record(z.string(), z.string()).optional(),
  concurrency: z.int().min(1),
  epoch: z.int().min(2).optional(),
  row: RowSpec.optional(), // of an ablation
  settings: z.record(z.string(), z.unknown()), // config.json of the run
  models: FrozenIndex, // of every role
})
export type RunSpec = z.infer<typeof RunSpec>

// The two columns of a run in the database of a cluster.
const answering = { settings: true, models: true } as const
export const AnsweringSpec = RunSpec.pick(answering)
export const AskingSpec = RunSpec.omit(answering)
export type AskingSpec = z.infer<typeof AskingSpec>
export type AnsweringSpec = z.infer<typeof AnsweringSpec>

interface StudyRow {
  id: string
  name: string
  changes: readonly AblationChange[]
}

// Undefined if the row needs what only the machine with the annotations has: then it is asked there.
export function writeRowSpec({ id, name, changes }: StudyRow, seed: number, study: string): RowSpec | undefined {
  if (changes.some(change => change.kind === 'oracle')) return undefined
  return { study: contentHash([hostname(), study]).slice(0, 16), seed, row: { id, name, changes: [...changes] } }
}
