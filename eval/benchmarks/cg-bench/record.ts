import { z } from 'zod'
import type { Span } from '../../../src/core/time.ts'
import { listField } from '../../data/parse-record.ts'

const interval = z.tuple([z.number().min(0), z.number().min(0)]) // seconds

// A question of CG-Bench as its annotation files hold it (cgbench.json, cgbench_mini.json); the lists also as text, which
// is how VLMEvalKit's table has them.
export const CgBenchRecord = z.looseObject({
  qid: z.union([z.number(), z.string()]).transform(String),
  video_uid: z.string(),
  question: z.string(),
  answer: z.string().default(''),
  choices: listField(z.string()),
  right_answer: z.string(),
  clue_intervals: listField(interval),
  domain: z.string().default(''),
  sub_category: z.string().default(''),
  duration: z.coerce.number(), // seconds; for grouping and clipping, off by up to 43 s from the decoder's
})
export type CgBenchRecord = z.infer<typeof CgBenchRecord>

export function clueSpans({ clue_intervals }: CgBenchRecord): Span[] {
  return clue_intervals.map(([start, end]) => ({ start, end }))
}

// Minutes, each bin with its upper end.
export function durationBin(seconds: number): string {
  const end = [10, 20, 30, 40, 50, 60].find(end => seconds / 60 <= end)
  return end === undefined ? '60+' : `${end - 10} ~ ${end}`
}
