import type { Config } from '../../../src/config/schema.ts'
import type { RanOn } from '../../../src/core/backend.ts'
import type { JobData } from '../data/job.ts'
import type { Counted } from '../observe/counters.ts'
import type { PushedStage } from '../store/shared-stages.ts'

// What a supervisor and the child of a slot tell each other.

export interface SlotTask {
  job: JobData // names only: the child looks up what it needs
  attempt: string // in the name of what it puts into the store
  careful?: boolean // it has crashed before: with as little side by side as it can
}

export type ToSlot = { type: 'open'; opening: SlotOpening } | { type: 'run'; task: SlotTask } | { type: 'stop' }

export type FromSlot =
  | { type: 'progress'; text: string; done: number; total: number }
  | { type: 'said'; line: string }
  | { type: 'counted'; counted: Counted }
  | { type: 'ended'; ending: TaskEnding; megabytes: number } // what the process holds by now

export type TaskEnding =
  | { kind: 'made'; pushed?: PushedStage; ran?: RanOn[] } // not pushed: it was there already
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
