import { z } from 'zod'
import { Budget, Question } from '../agent.ts'
import { Coverage } from '../video.ts'
import { Problem } from './problem.ts'
import { Answered, ShortVideo } from './row.ts'

export const JobState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
export type JobState = z.infer<typeof JobState>

export function isOver(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

// Limits of one question; what is left out is as the settings say.
export const Limits = z
  .strictObject({
    steps: Budget.shape.steps.removeDefault(),
    tokens: Budget.shape.tokens.removeDefault(),
    frames: Budget.shape.frames.removeDefault(),
    seconds: Budget.shape.seconds.removeDefault(),
    money: z.number().positive(),
  })
  .partial()

// What "longtake index --json" prints of one video.
export const IndexDone = ShortVideo.extend({
  stages: z.array(
    z.object({
      stage: z.string(),
      by: z.string(),
      key: z.string(),
      state: z.enum(['done', 'reused', 'failed', 'skipped']),
      started: z.number(),
      seconds: z.number(),
      items: z.number(),
      note: z.string().optional(),
    }),
  ),
  coverage: Coverage,
  notes: z.array(z.string()),
  seconds: z.number(),
  profile: z.string(),
})
export type IndexDone = z.infer<typeof IndexDone>

const JobStage = z.object({
  stage: z.string(),
  state: z.string(),
  done: z.number().optional(), // seconds of media
  total: z.number().optional(),
  note: z.string().optional(),
})

// An ask or an indexing, as it is kept on disk.
export const JobRecord = z.object({
  id: z.string(),
  kind: z.enum(['ask', 'index']),
  state: JobState,
  video: z.object({ id: z.string(), name: z.string(), duration: z.number() }),
  question: Question.omit({ refers: true }).optional(),
  session: z.string().optional(),
  budget: Limits.optional(),
  graph: z.string().optional(),
  created: z.string(), // ISO date
  started: z.string().optional(),
  ended: z.string().optional(),
  run: z.string().optional(), // the name of its run, once the question has begun
  error: Problem.shape.error.optional(),
  index: IndexDone.optional(), // of an indexing that is done
  stages: z.array(JobStage).optional(), // of the indexing in it, as far as it was when the job ended
})
export type JobRecord = z.infer<typeof JobRecord>

export const Job = JobRecord.extend({
  doing: z.string().optional(), // while it runs
  stages: z.array(JobStage), // of the indexing in this job
  goOn: z.string().optional(), // the request that goes on with one that was stopped: "POST /api/runs/R/resume"
  answer: Answered.optional(),
})
export type Job = z.infer<typeof Job>

export const JobBegun = z.object({ job: z.string(), state: JobState })

export const JobList = z.object({ jobs: z.array(Job), live: z.string() }) // live: the signed path of all events, for EventSource
