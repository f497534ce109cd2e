import type { Request } from '../data/catalogue/requests.ts'
import type { StageNeed } from '../data/catalogue/videos.ts'
import type { WorkerRow } from '../data/catalogue/workers.ts'
import type { Resource } from '../data/job.ts'
import type { QueueCount } from '../engine/engine.ts'

export interface QueueStatus
  extends QueueCount,
    Partial<Pick<StageNeed, 'stage' | 'backend' | 'version' | 'resource'>> {
  workers: number // live ones that serve it
  seconds?: number // what its jobs took lately, on average
}

export interface RunningJob {
  job: string
  video?: string
  name?: string
  stage?: string
  slot?: Resource
  seconds: number
  text?: string
  done?: number
  total?: number
}

export interface WorkerStatus extends WorkerRow {
  jobs: RunningJob[]
  speed?: number // seconds of video that it gets through in a second, over the last hour
}

export interface RequestStatus extends Omit<Request, 'ended'> {
  running: number
  failed: number
  seconds: number // since it was asked
  left?: number // seconds, where enough of it is done to say
}

export interface ClusterStatus {
  queues: QueueStatus[]
  workers: WorkerStatus[]
  requests: RequestStatus[]
  failures: Record<string, number> // by kind
  unserved: Unserved[]
  waitReason: string // the bottleneck, in one line
}

// A queue in which jobs wait and that no live worker serves, with what mends it.
export interface Unserved {
  queue: string
  waiting: number
  why: string
  mend: string
}
