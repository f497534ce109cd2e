import { z } from 'zod'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import { CallUse } from '../../../src/store/call-log/share.ts'
import type { SampleLine } from '../../data/sample-line.ts'
import type { BaseFirst } from '../matrix/rows.ts'

// A line of a row's calls.jsonl; the last of each question counts.
export const QuestionCalls = z.object({ key: z.string(), used: z.array(CallUse) })
export type QuestionCalls = z.infer<typeof QuestionCalls>

// A line of a row's stages.jsonl: what the index of a video is made of. The last of each video counts.
export const VideoStages = z.object({
  video: z.string(),
  stages: z.array(
    z.object({
      stage: z.string().transform(stageNamed),
      key: z.string(),
      by: z.string(),
      seconds: z.number(),
      finished: z.string(),
    }),
  ),
})
export type VideoStages = z.infer<typeof VideoStages>

// What a row left in its folder.
export interface RowRecord {
  id: string
  name: string
  changes: string[] // in words
  settings: string[] // in which it differs from the base
  notes: string[]
  finished: boolean
  lines: readonly SampleLine[]
  calls: readonly QuestionCalls[]
  stages: readonly VideoStages[]
}

export interface StudyRecord {
  benchmark: string
  name: string
  split?: string
  design: string
  seed: number
  started: string // ISO date: what was made before it was there already
  tasks: readonly string[]
  samples: number
  rows: Readonly<BaseFirst<RowRecord>>
}
