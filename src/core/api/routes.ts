import { z } from 'zod'
import { Evidence } from '../evidence.ts'
import { ClusterView } from './cluster.ts'
import { Comparison } from './compare.ts'
import { AskLimits, ForkSettings, Job, JobBegun, JobList } from './job.ts'
import type { ProblemCode } from './problem.ts'
import { ReportDetails, ReportList, ReportQuestion, shows } from './report.ts'
import { RowPage, SearchReport, TrackList } from './row.ts'
import { RunCall, RunDetails, RunList, RunSnapshot, runOrders, SessionDetails, SessionList, TracePage } from './run.ts'
import { FolderEntries, FolderList, VideoDetails, VideoList, VideoState } from './video.ts'

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: `/${string}` // below /api; ":name" is a parameter
  summary: string
  open?: boolean // no token is asked for
  query?: z.ZodObject
  body?: z.ZodObject | 'bytes' // bytes: a file, as it is
  status?: 201 | 202 // 200 where it is left out
  reply: z.ZodType | 'bytes' | 'events' // events: text/event-stream
  errors: readonly ProblemCode[] // besides those that every route has
}

// As "longtake doctor --json" prints it.
const HealthPart = z.object({
  name: z.string(),
  state: z.string(),
  detail: z.string().optional(),
  mend: z.string().optional(),
})
const Doctor = z.object({
  healthy: z.boolean(),
  profile: z.string(),
  why: z.string().optional(), // this profile
  fault: z.object({ what: z.string(), mend: z.string().optional() }).optional(), // no question is answered
  node: z.string(),
  packages: z.array(HealthPart),
  programs: z.array(HealthPart.extend({ version: z.string().optional() })),
  roles: z.array(
    z.object({
      role: z.string(),
      backend: z.string(),
      state: z.enum(['ready', 'weak', 'missing', 'off', 'broken']),
      detail: z.string(),
      mend: z.string().optional(), // the one next step
    }),
  ),
  home: z.object({ path: z.string(), free: z.number(), writable: z.boolean() }),
})

const number = z.coerce.number<string>()
const seconds = number.pipe(z.number().min(0))
const count = number.pipe(z.number().int().min(0))
const cursor = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional()
const word = z.string().max(20_000)

// Every route of the API: the server mounts this table, the OpenAPI document is derived from it.
export const routes = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the server is alive',
    open: true,
    reply: z.object({ status: z.literal('ok'), version: z.string() }),
    errors: [],
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This contract',
    reply: z.looseObject({ openapi: z.string() }),
    errors: [],
  },
  doctor: {
    method: 'GET',
    path: '/doctor',
    summary: 'What is ready for each role, what is missing and how to fix it',
    query: z.object({ depth: z.enum(['look', 'try']).optional() }),
    reply: Doctor,
    errors: ['backend'],
  },
  settings: {
    method: 'GET',
    path: '/settings',
    summary: 'Every setting in use with its origin',
    reply: z.object({
      file: z.string().optional(),
      settings: z.looseObject({}),
      origins: z.record(z.string(), z.string()),
    }),
    errors: [],
  },
  videos: {
    method: 'GET',
    path: '/videos',
    summary: 'The videos of the library, by name',
    query: z.object({ q: word.optional(), state: VideoState.optional(), cursor }),
    reply: VideoList,
    errors: ['storage'],
  },
  addVideo: {
    method: 'POST',
    path: '/videos',
    summary: 'Adds a file below an allowed folder, or an upload, to the library; indexes nothing',
    body: z
      .strictObject({
        path: z.string().min(1).max(4096).optional(), // relative to the folder, or absolute
        folder: z.number().int().min(0).optional(), // of a relative path; 0 if it is left out
        upload: z.string().optional(), // its id
      })
      .refine(({ path, upload }) => (path === undefined) !== (upload === undefined), 'name a path or an upload'),
    reply: VideoDetails,
    errors: ['forbidden', 'unknown', 'unreadable', 'storage'],
  },
  upload: {
    method: 'POST',
    path: '/uploads',
    summary: 'Keeps a file that the client sends as the body; POST /videos {upload} adds it to the library',
    query: z.object({ name: z.string().max(4096).optional() }), // for people: no path is made of it
    body: 'bytes',
    status: 201,
    reply: z.object({ upload: z.string(), name: z.string(), bytes: z.number() }),
    errors: ['unreadable', 'too_large', 'queue_full', 'storage'],
  },
  video: {
    method: 'GET',
    path: '/videos/:video',
    summary: 'One video: its state, what was examined, its chapters, and what indexing would make',
    reply: VideoDetails,
    errors: ['unknown', 'storage'],
  },
  forgetVideo: {
    method: 'DELETE',
    path: '/videos/:video',
    summary: 'Forgets the index of a video; its file stays',
    reply: z.object({ removed: z.string(), bytes: z.number() }),
    errors: ['unknown', 'conflict', 'storage'],
  },
  folders: {
    method: 'GET',
    path: '/folders',
    summary: 'The folders that the server was started with',
    reply: FolderList,
    errors: [],
  },
  folder: {
    method: 'GET',
    path: '/folders/:folder',
    summary: 'What lies in a folder: videos, and folders below it',
    query: z.object({ path: z.string().max(4096).optional() }),
    reply: FolderEntries,
    errors: ['forbidden', 'unknown'],
  },
  lanes: {
    method: 'GET',
    path: '/videos/:video/lanes',
    summary: 'The spans of every track as columns of milliseconds (docs/server.md)',
    reply: 'bytes',
    errors: ['unknown', 'conflict', 'changed', 'storage'],
  },
  rows: {
    method: 'GET',
    path: '/videos/:video/rows',
    summary:
      'The rows of a video in order of time, 500 at most; `index=so-far` gives those of an index that is being made',
    query: z.object({
      from: seconds.optional(),
      to: seconds.optional(),
      tracks: TrackList.optional(),
      index: z.literal('so-far').optional(),
      cursor,
    }),
    reply: RowPage,
    errors: ['unknown', 'conflict', 'changed', 'storage'],
  },
  row: {
    method: 'GET',
    path: '/videos/:video/rows/:row',
    summary: 'One row, with the times of its words',
    reply: Evidence,
    errors: ['unknown', 'conflict', 'changed', 'storage'],
  },
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Moments by what is said, shown or heard, in one video or in all',
    query: z.object({
      q: word.min(1),
      video: z.string().optional(),
      tracks: TrackList.optional(),
      after: seconds.optional(),
      before: seconds.optional(),
      nth: number.pipe(z.number().int().min(1)).optional(), // only with a video
      k: number.pipe(z.number().int().min(1).max(200)).optional(),
    }),
    reply: SearchReport,
    errors: ['unknown', 'backend', 'storage'],
  },
  tools: {
    method: 'GET',
    path: '/tools',
    summary: 'What can be done with the memory of videos: the tools that MCP hosts have, with their schemas',
    reply: z.object({
      tools: z.array(z.object({ name: z.string(), description: z.string(), input: z.looseObject({}) })),
    }),
    errors: [],
  },
  callTool: {
    method: 'POST',
    path: '/tools/:tool',
    summary: 'Calls one: overview, find, read, view, hear or verify',
    body: z.looseObject({}), // what the tool takes
    reply: z.object({
      head: z.string(), // our own words
      lines: z.array(z.string()), // words of videos, and of models that have read them
      next: z.string().optional(), // the next useful call
      pictures: z.array(z.string()).optional(), // JPEG, base64
      sound: z.string().optional(), // WAV, base64
    }),
    errors: ['unknown', 'conflict', 'changed', 'unreadable', 'backend', 'backend_busy', 'storage'],
  },
  index: {
    method: 'POST',
    path: '/videos/:video/index',
    summary: 'Begins a job that makes what is missing of the index',
    status: 202,
    reply: JobBegun,
    errors: ['unknown', 'queue_full', 'storage'],
  },
  ask: {
    method: 'POST',
    path: '/videos/:video/ask',
    summary: 'Begins a job that answers a question, and first makes a missing index',
    body: z.strictObject({
      question: word.min(1),
      options: z.array(word.min(1)).min(2).max(100).optional(),
      until: z.number().positive().optional(), // seconds: it is answered as if the video ended there
      session: z.string().optional(),
      budget: AskLimits.optional(),
      graph: z.string().optional(),
      settings: ForkSettings.optional(), // models.ROLE of the roles that answer, as a fork takes them
    }),
    status: 202,
    reply: JobBegun,
    errors: ['unknown', 'conflict', 'queue_full', 'storage'],
  },
  askLibrary: {
    method: 'POST',
    path: '/ask',
    summary: 'Asks over all videos that have an index: finds the best, and asks in those; makes no index',
    body: z.strictObject({
      question: word.min(1),
      options: z.array(word.min(1)).min(2).max(100).optional(),
      budget: AskLimits.optional(),
      graph: z.string().max(100).optional(),
      settings: ForkSettings.optional(),
    }),
    status: 202,
    reply: JobBegun,
    errors: ['unreadable', 'backend', 'queue_full', 'storage'],
  },
  answering: {
    method: 'GET',
    path: '/answering',
    summary: 'Who can answer: as the server was started, by rules, or another model of its server',
    reply: z.object({
      profiles: z.array(
        z.object({
          name: z.string(),
          about: z.string(),
          chosen: z.boolean(),
          anew: z.array(z.string()), // roles by which videos would be indexed anew
          refused: z.string().optional(), // why it cannot be chosen here
        }),
      ),
      choices: z.array(z.object({ name: z.string(), by: z.string(), settings: ForkSettings })),
      fault: z.string().optional(), // why the models of the server are not among them
    }),
    errors: ['backend'],
  },
  tryAnswering: {
    method: 'POST',
    path: '/answering/try',
    summary:
      'Puts one small question to who answers with these settings or this profile, and measures it; loads a model, downloads none',
    body: z.strictObject({ settings: ForkSettings.default({}), profile: z.string().max(100).optional() }),
    reply: z.object({
      by: z.string(),
      seconds: z.number(),
      reply: z.string(),
      missing: z.array(z.object({ role: z.string(), detail: z.string(), mend: z.string().optional() })), // of a profile
    }),
    errors: ['forbidden', 'backend', 'backend_busy'],
  },
  chooseProfile: {
    method: 'POST',
    path: '/profile',
    summary: 'Starts the server anew with another profile, which is ready; not while a job runs',
    body: z.strictObject({ profile: z.string().max(100) }),
    status: 202,
    reply: z.object({ profile: z.string() }),
    errors: ['forbidden', 'conflict', 'backend'],
  },
  jobs: {
    method: 'GET',
    path: '/jobs',
    summary: 'The newest jobs, 200 at most; those that a killed server left are among them',
    reply: JobList,
    errors: [],
  },
  cluster: {
    method: 'GET',
    path: '/cluster',
    summary: 'What several machines do together; nothing without a cluster',
    reply: ClusterView,
    errors: [],
  },
  job: {
    method: 'GET',
    path: '/jobs/:job',
    summary: 'One job; `wait` answers when it is over, or after so many seconds',
    query: z.object({ wait: number.pipe(z.number().min(0).max(60)).optional() }),
    reply: Job,
    errors: ['unknown'],
  },
  cancelJob: {
    method: 'DELETE',
    path: '/jobs/:job',
    summary: 'Cancels a job; one that is over stays as it is',
    reply: Job,
    errors: ['unknown'],
  },
  jobEvents: {
    method: 'GET',
    path: '/jobs/:job/events',
    summary: 'The events of a job (docs/events.md); continues after Last-Event-ID',
    reply: 'events',
    errors: ['unknown'],
  },
  events: {
    method: 'GET',
    path: '/events',
    summary: 'The events of all unfinished jobs; continues after Last-Event-ID',
    reply: 'events',
    errors: [],
  },
  runs: {
    method: 'GET',
    path: '/runs',
    summary: 'Questions and evaluations, the newest first',
    query: z.object({
      q: word.optional(),
      state: z.enum(['finished', 'cancelled', 'failed', 'unfinished']).optional(),
      video: word.optional(), // the id of the video that a question was about
      sort: z.enum(runOrders).optional(), // newest first by default
      cursor,
    }),
    reply: RunList,
    errors: ['storage'],
  },
  run: {
    method: 'GET',
    path: '/runs/:run',
    summary: 'One run: its settings, its steps with their calls, rows and states, how it ended, its answer',
    reply: RunDetails,
    errors: ['unknown', 'storage'],
  },
  trace: {
    method: 'GET',
    path: '/runs/:run/trace',
    summary: 'The events of a run as they were written, 1000 at most',
    query: z.object({ after: count.optional() }),
    reply: TracePage,
    errors: ['unknown', 'storage'],
  },
  state: {
    method: 'GET',
    path: '/runs/:run/states/:state',
    summary: 'All that the run knew after a step',
    reply: RunSnapshot,
    errors: ['unknown', 'storage'],
  },
  call: {
    method: 'GET',
    path: '/runs/:run/calls/:call',
    summary: 'A recorded call of a model or tool',
    reply: RunCall,
    errors: ['unknown', 'storage'],
  },
  resume: {
    method: 'POST',
    path: '/runs/:run/resume',
    summary: 'Begins a job that resumes the question of a stopped run; no finished call is made again',
    status: 202,
    reply: JobBegun,
    errors: ['unknown', 'conflict', 'queue_full', 'storage'],
  },
  fork: {
    method: 'POST',
    path: '/runs/:run/fork',
    summary: 'Begins a job that continues from a round of a run with other settings, as a new run',
    body: z.strictObject({
      round: z.number().int().min(0), // of tool calls that are kept: see `rounds` of the run
      settings: ForkSettings.default({}),
    }),
    status: 202,
    reply: JobBegun,
    errors: ['unknown', 'conflict', 'queue_full', 'storage'],
  },
  compare: {
    method: 'GET',
    path: '/compare',
    summary: 'Two runs of questions side by side: settings, steps, the first that differs, answers, rows cited',
    query: z.object({ a: word.min(1), b: word.min(1) }),
    reply: Comparison,
    errors: ['unknown', 'conflict', 'storage'],
  },
  reports: {
    method: 'GET',
    path: '/reports',
    summary: 'Runs of benchmarks and ablations with their scores, intervals, chance and cost, the newest first',
    query: z.object({ cursor }),
    reply: ReportList,
    errors: ['storage'],
  },
  report: {
    method: 'GET',
    path: '/reports/:report',
    summary: 'One of them: its configurations, and how each question went under each, 500 at most',
    query: z.object({ show: z.enum(shows).optional(), cursor }),
    reply: ReportDetails,
    errors: ['unknown', 'storage'],
  },
  reportQuestion: {
    method: 'GET',
    path: '/reports/:report/questions/:question',
    summary: 'One question under every configuration: answers, steps, rows, and where each differs from the first',
    reply: ReportQuestion,
    errors: ['unknown', 'storage'],
  },
  sessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'The conversations, the one used last first',
    reply: SessionList,
    errors: ['storage'],
  },
  session: {
    method: 'GET',
    path: '/sessions/:session',
    summary: 'One conversation with its turns',
    reply: SessionDetails,
    errors: ['unknown', 'storage'],
  },
  forgetSession: {
    method: 'DELETE',
    path: '/sessions/:session',
    summary: 'Removes a conversation; its runs stay',
    reply: z.object({ removed: z.string() }),
    errors: ['unknown', 'storage'],
  },
  forkSession: {
    method: 'POST',
    path: '/sessions/:session/fork',
    summary: 'Begins another conversation with the first turns of this one',
    body: z.strictObject({ at: z.number().int().min(0).optional(), as: z.string() }),
    status: 201,
    reply: SessionDetails,
    errors: ['unknown', 'conflict', 'storage'],
  },
} as const satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteName = keyof Routes

// The names of the parameters of a path.
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type Parsed<Shape> = Shape extends z.ZodType ? z.output<Shape> : undefined

// A body that is a file.
export interface SentBytes {
  bytes: AsyncIterable<Uint8Array>
  length?: number // as the client declares it
}

// What a handler is given, and what it gives back, by the name of its route.
export interface RouteRequest<Name extends RouteName> {
  params: Record<ParamsOf<Routes[Name]['path']>, string>
  query: Routes[Name] extends { query: infer Shape } ? Parsed<Shape> : undefined
  body: Routes[Name] extends { body: infer Shape } ? (Shape extends 'bytes' ? SentBytes : Parsed<Shape>) : undefined
  lastEventId?: string
  signal: AbortSignal // the client has gone
}
export type RouteReply<Name extends RouteName> = Routes[Name]['reply'] extends z.ZodType
  ? z.input<Routes[Name]['reply']>
  : Routes[Name]['reply'] extends 'bytes'
    ? Uint8Array<ArrayBuffer>
    : AsyncIterable<ServerEvent>

// One event of a stream, as text/event-stream writes it.
export interface ServerEvent {
  id?: string
  event?: string // "job" for the job itself; absent for an event of docs/events.md
  data: unknown
}

export type Handlers = {
  [Name in RouteName]: (asked: RouteRequest<Name>) => Promise<RouteReply<Name>> | RouteReply<Name>
}
