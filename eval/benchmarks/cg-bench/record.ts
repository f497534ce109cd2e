import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import { parseLiteral } from '../../python/literal.ts'
import { plain } from '../../python/value.ts'

const interval = z.tuple([z.number(), z.number()])
// The table that VLMEvalKit builds holds lists as Python writes them.
const listed = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(value => (typeof value === 'string' ? plain(parseLiteral(value)) : value), z.array(item))

// A question of CG-Bench as its annotation files hold it (cgbench.json, cgbench_mini.json).
export const CgBenchRecord = z.looseObject({
  qid: z.union([z.number(), z.string()]).transform(String),
  video_uid: z.string(),
  question: z.string(),
  answer: z.string().default(''),
  choices: listed(z.string()),
  right_answer: z.string(),
  clue_intervals: listed(interval),
  domain: z.string().default(''),
  sub_category: z.string().default(''),
  duration: z.coerce.number(), // seconds; for grouping and clipping, off by up to 43 s from the decoder's
})
export type CgBenchRecord = z.infer<typeof CgBenchRecord>

export function cgBenchRecord(value: unknown, place: string): CgBenchRecord {
  const parsed = CgBenchRecord.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const keys = value && typeof value === 'object' ? Object.keys(value).join(', ') : typeof value
  throw new UsageError(`${place} is no CG-Bench record: ${issue.path.join('.') || 'record'}: ${issue.message}.`, {
    hint: `It holds: ${keys}. Expected is a file like cgbench_mini.json.`,
  })
}
