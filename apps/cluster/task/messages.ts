import type { Config } from '../../../src/config/schema.ts'
import type { RanOn } from '../../../src/core/backend.ts'
import type { StageMeta } from '../../../src/core/stage.ts'
import type { JobData, StageJob } from '../data/job.ts'
import type { KnownRows } from '../jobs/known-rows.ts'
import type { Counted } from '../observe/counters.ts'

// What a supervisor and the child of a slot tell each other.

// A stage with all that is known of its video. Settings and the video are parsed by the child: they come from the database.
export interface StageTask {
  kind: 'stage'
  job: StageJob
  attempt: string // in the name of what it puts into the store
  frozen: unknown
  video: unknown
  known: KnownRows
  careful: boolean // it has crashed before: with as little side by side as it can
}

// Work of another kind, which looks up itself what it needs.
interface OtherTask {
  kind: 'other'
  job: Exclude<JobData, StageJob>
  attempt: string
}

export type SlotTask = StageTask | OtherTask

export type ToSlot = { type: 'open'; opening: SlotOpening } | { type: 'run'; task: SlotTask } | { type: 'stop' }

export type FromSlot =
  | { type: 'ready' }
  | { type: 'progress'; text: string; done: number; total: number }
  | { type: 'said'; line: string }
  | { type: 'counted'; counted: Counted }
  | { type: 'ended'; ending: TaskEnding; megabytes: number } // what the process holds by now

// The one object that a stage has become in the store.
export interface Pushed {
  object: string
  bytes: number
  sha256: string
  meta: StageMeta
}

export type TaskEnding =
  | { kind: 'made'; pushed?: Pushed; ran?: RanOn[] } // not pushed: it was there already
  | { kind: 'refused'; why: string; ofVideo?: boolean } // for another machine: this video, or all of the queue
  | { kind: 'lost-input'; stage: string; key: string } // its row is wrong, and it is made again
  | { kind: 'failed'; as: FailedAs; message: string }
  | { kind: 'stopped' }
  | { kind: 'crashed'; how: string } // told by the supervisor

// retryable, backend: something outside broke. input: this video or these settings. storage: this machine's disk, or the store.
export type FailedAs = 'retryable' | 'backend' | 'input' | 'storage' | 'error'

// What a child begins with: the settings of the supervisor as they are resolved here.
export interface SlotOpening {
  home: string
  settings: Config
}
