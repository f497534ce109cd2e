import type { JobData } from '../data/job.ts'
import type { Sql } from '../data/sql.ts'

// The queue behind ten functions. It is never the truth: results are, and what is lost here is planned again from them.
export interface Engine {
  start(): Promise<void>
  queue(name: string): Promise<void> // made where it is not there yet
  // The ids that are new: one that waits or runs is not sent again. One that has ended is, since who sends asks for what has no
  // result: send nothing that has one. A second request of more hurry raises the priority of what waits. Wakes up who listens ("jobs").
  send(jobs: readonly NewJob[], sql?: Sql): Promise<string[]>
  // The first job of the first queue that has one, in the order that is given.
  fetch(queues: readonly string[]): Promise<ClaimedJob | undefined>
  touch(job: ClaimedJob): Promise<boolean> // false: it is someone else's by now, or cancelled
  settle(job: ClaimedJob, outcome: SettledJob, sql?: Sql): Promise<boolean> // false: nothing was changed, as with touch
  cancel(ids: readonly string[], sql?: Sql): Promise<void> // tells who listens: "cancelled"
  underWay(ids: readonly string[]): Promise<ReadonlySet<string>> // those of them that wait or run
  counts(): Promise<QueueCount[]>
  stop(): Promise<void>
}

export interface NewJob {
  id: string // a UUID made from what is to be done, so that two who ask for it ask for one
  queue: string
  data: JobData
  priority: number
}

export interface ClaimedJob {
  id: string
  queue: string
  attempt: number // fences: a late `touch` or `settle` of an earlier one changes nothing
  data: JobData
}

export type SettledJob =
  | { state: 'completed' }
  | { state: 'failed'; message: string } // for good
  | { state: 'retry'; after: number } // seconds
  | { state: 'released'; after?: number } // given back: the attempt does not count

export interface QueueCount {
  queue: string
  waiting: number
  running: number
  failed: number
  oldest?: number // seconds that the first one has waited
}
