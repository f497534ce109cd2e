import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '../../../src/store/durable.ts'
import { readJsonFile } from '../../data/read-json-file.ts'
import { judgeModes } from '../../protocols/judge/protocol.ts'

const file = 'agreement.json'

const Measured = z.object({
  n: z.number(),
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  why: z.string().optional(),
})

// One judge beside the people, over the answers that all of them graded.
export const JudgeStudy = z.object({
  judge: z.string(),
  mode: z.enum(judgeModes).optional(), // of a model, where its protocol can be asked in several
  answers: z.number(),
  raters: z.array(z.object({ name: z.string(), kind: z.enum(['judge', 'person', 'majority']), accuracy: Measured })),
  pairs: z.array(z.object({ a: z.string(), b: z.string(), kappaRight: Measured, bias: Measured })),
  seconds: z.number(), // for these answers
  money: z.number().optional(), // where the judge has a price
  pictures: z.object({ asked: z.number(), of: z.number(), needed: z.number(), found: z.number() }).optional(),
})
export type JudgeStudy = z.infer<typeof JudgeStudy>

// What "bench agree --human" found, as each of its runs keeps it: only the newest.
export const KeptAgreement = z.object({
  format: z.literal(1),
  benchmark: z.string(),
  runs: z.array(z.string()),
  people: z.array(z.string()), // in the order of their files
  judges: z.array(JudgeStudy),
})
export type KeptAgreement = z.infer<typeof KeptAgreement>

export async function keepAgreement(folders: readonly string[], kept: KeptAgreement): Promise<void> {
  const text = `${JSON.stringify(KeptAgreement.parse(kept), null, 1)}\n`
  for (const folder of folders) await writeDurably(join(folder, file), text)
}

export async function agreementOfRun(folder: string): Promise<KeptAgreement | undefined> {
  return KeptAgreement.safeParse(await readJsonFile(join(folder, file))).data
}
