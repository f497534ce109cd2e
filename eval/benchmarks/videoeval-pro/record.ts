import { z } from 'zod'
import { listField } from '../../data/parse-record.ts'

// A question of VideoEval-Pro; its options carry their letters ("A. ...").
export const VideoEvalProRecord = z.looseObject({
  video: z.string().default(''),
  question: z.string(),
  options: listField(z.string()).default([]),
  answer: z.string(), // the letter
  answer_text: z.string().nullish(),
  source: z.string().nullish(),
  qa_type: z.string().default(''),
  qa_subtype: z.string().nullish(),
})
export type VideoEvalProRecord = z.infer<typeof VideoEvalProRecord>
