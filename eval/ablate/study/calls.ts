import { z } from 'zod'

// One model call that a question needed, and which row of the study made it.
export const CallUse = z.object({
  role: z.string(),
  purpose: z.string(),
  madeBy: z.string(), // a row's id: its own, or an earlier one's whose reply was taken
  seconds: z.number(), // when it was made
  inputTokens: z.number(),
  outputTokens: z.number(),
})
export type CallUse = z.infer<typeof CallUse>

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
