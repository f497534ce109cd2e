import type { Database } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import type { Priority } from '../jobs/plan-video.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'

// What a command needs of the cluster to have a run asked.
export interface QueueContext {
  database: Database
  engine: Engine
  store: ArtifactStore
  roots: Readonly<Record<string, string>>
  priority: Priority
}
