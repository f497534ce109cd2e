import { z } from 'zod'
import { judgeModes } from '../../protocols/judge/protocol.ts'
import { oracleNames } from '../../runner/changes/change.ts'

const Value = z.union([z.string(), z.number(), z.boolean()])
const texts = (about: string) => z.array(z.string()).default([]).describe(about)

const Row = z.strictObject({
  name: z.string().min(1).describe('as it stands in the tables'),
  without: texts('tools, tracks and policies that are switched off together'),
  swap: z.record(z.string(), z.string()).default({}).describe('role to backend'),
  set: z.record(z.string(), Value).default({}).describe('setting to value'),
  option: z.record(z.string(), Value).default({}).describe('setting of the benchmark to value'),
  graph: z.string().optional(),
  judgeMode: z.enum(judgeModes).optional(),
  oracle: z.array(z.enum(oracleNames)).default([]),
  fault: texts('as asr:wer=0.2'),
})

// A matrix as a file, ablation.json: the same that the flags of "longtake bench ablate" say, and rows that change several things at once.
export const AblationFile = z.strictObject({
  $schema: z.string().optional(),
  benchmark: z.string().optional(),
  data: z.string().optional().describe('from the folder of this file on'),
  videos: z.string().optional().describe('where the videos lie, if not beside the data'),
  split: z.string().optional(),
  limit: z.number().int().positive().optional().describe('only the first n questions'),
  tasks: texts('only these parts of the protocol'),
  by: z
    .enum(['longtake', 'alone', 'agent', 'model'])
    .optional()
    .describe('alone: only models.vision, with the frames of the protocol; agent and model are the earlier names'),
  base: z
    .strictObject({
      profile: z.string().optional(),
      set: z.record(z.string(), Value).default({}).describe('settings of every row'),
      option: z.record(z.string(), Value).default({}).describe('settings of the benchmark in every row'),
      judgeMode: z.enum(judgeModes).optional().describe('what the judge sees in every row that does not say it'),
    })
    .prefault({}),
  design: z.enum(['one-at-a-time', 'full']).default('one-at-a-time').describe('full: every combination'),
  seed: z.number().int().min(0).default(1).describe('where the chance of faults and statistics starts'),
  fromStep: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('each question is replayed as the base went, for so many rounds, and goes on with the change'),
  without: texts('tools, tracks and policies, each switched off in a row of its own; "a+b" both in one row'),
  swap: z.record(z.string(), z.array(z.string())).default({}).describe('role to backends'),
  set: z.record(z.string(), z.array(Value)).default({}).describe('setting to values'),
  option: z.record(z.string(), z.array(Value)).default({}).describe('setting of the benchmark to values'),
  graph: texts('graphs by name'),
  judgeMode: z.array(z.enum(judgeModes)).default([]).describe('what the judge sees'),
  oracle: z.array(z.enum(oracleNames)).default([]).describe('gold from the annotations'),
  fault: texts('as asr:wer=0.1,0.2 or tool:search=down'),
  rows: z.array(Row).default([]).describe('rows of several changes'),
})
export type AblationFile = z.infer<typeof AblationFile>

// The published schema of the file: docs/ablation.schema.json.
export function ablationSchema(): object {
  return { title: 'longtake ablation', ...z.toJSONSchema(AblationFile, { io: 'input' }) }
}
