import { z } from 'zod'
import { Budget, Question } from '../agent.ts'
import { Coverage } from '../video.ts'
import { jobStates } from './job-state.ts'
import { Problem } from './problem.ts'
import { AskReply, ShortVideo } from './row.ts'

export const JobStateSchema = z.enum(jobStates)

// What a job is at, where it is not over.
export const JobPhase = z.enum(['waiting', 'indexing', 'asking'])
export type JobPhase = z.infer<typeof JobPhase>

// Limits of one question; what is left out is as the settings say.
export const AskLimits = z
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

// What a response of the model endpoint says of its request.
export const Responded = z.object({
  model: z.string(),
  notes: z.array(z.string()),
  form: z // how it wants the text of the answer
    .object({
      letters: z.boolean().optional(),
      json: z
        .object({
          fields: z.array(z.enum(['answer', 'citations', 'choice', 'confidence', 'abstained'])),
          isListOfTexts: z.boolean(),
        })
        .optional(),
    })
    .optional(),
  background: z.boolean(),
  previous: z.string().optional(), // the response that it goes on from
  metadata: z.record(z.string(), z.string()),
})
export type Responded = z.infer<typeof Responded>

// Settings by dotted name, as "policy.verifier".
export const ForkSettings = z.record(z.string().max(200), z.union([z.string().max(500), z.number(), z.boolean()]))
export type ForkSettings = z.infer<typeof ForkSettings>

const Stages = z.array(
  z.object({
    stage: z.string(),
    state: z.string(),
    done: z.number().optional(), // seconds of media
    total: z.number().optional(),
    note: z.string().optional(),
    seconds: z.number().optional(), // that it has taken so far
  }),
)

// An ask or an indexing, as it is kept on disk.
export const JobRecord = z.object({
  id: z.string(),
  kind: z.enum(['ask', 'index']),
  state: JobStateSchema,
  video: z.object({ id: z.string(), name: z.string(), duration: z.number() }),
  question: Question.omit({ refers: true }).optional(),
  session: z.string().optional(),
  library: z.literal(true).optional(), // it is asked over all videos; `video` stands for them
  within: z.string().optional(), // of those, only over the videos of a folder
  budget: AskLimits.optional(),
  graph: z.string().optional(),
  settings: ForkSettings.optional(), // who answers, where it is not as the server was started
  fork: z // it goes on from a state of another run, with other settings
    .object({ run: z.string(), round: z.number(), state: z.number(), settings: ForkSettings })
    .optional(),
  created: z.string(), // ISO date
  started: z.string().optional(),
  ended: z.string().optional(),
  run: z.string().optional(), // the name of its run, once the question has begun
  response: Responded.optional(), // of a question that came by /v1/responses
  error: Problem.shape.error.optional(),
  index: IndexDone.optional(), // of an indexing that is done
  stages: Stages.optional(), // of the indexing in this job, once it is over
})
export type JobRecord = z.infer<typeof JobRecord>

export const Job = JobRecord.extend({
  doing: z.string().optional(), // while it runs
  stages: Stages, // of the indexing in this job
  goOn: z.string().optional(), // the request that goes on with one that was stopped: "POST /api/runs/R/resume"
  answer: AskReply.optional(),
})
export type Job = z.infer<typeof Job>

export const JobBegun = z.object({ job: z.string(), state: JobStateSchema })

export const JobList = z.object({ jobs: z.array(Job), live: z.string() }) // live: the signed path of all events, for EventSource
