import { z } from 'zod'
import { CallUse } from '../../../src/store/call-log/share.ts'

// A line of a row's calls.jsonl; the last of each question counts.
export const QuestionCalls = z.object({ key: z.string(), used: z.array(CallUse) })
export type QuestionCalls = z.infer<typeof QuestionCalls>

// A line of a row's stages.jsonl: what the index of a video is made of. The last of each video counts.
export const VideoStages = z.object({
  video: z.string(),
  stages: z.array(
    z.object({ stage: z.string(), key: z.string(), by: z.string(), seconds: z.number(), finished: z.string() }),
  ),
})
export type VideoStages = z.infer<typeof VideoStages>
