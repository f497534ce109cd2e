import type { Config } from '../../config/schema.ts'
import type { Watch } from '../../core/agent.ts'
import type { Host } from '../../core/backend.ts'
import type { Library } from '../../store/library/library.ts'
import type { Cluster } from '../open-cluster.ts'

// What a command that asks for indexes works with.
export interface Queueing {
  cluster: Cluster
  settings: Config // with the models that were chosen
  host: Host
  library: Library
  watch: Watch
  signal: AbortSignal
  upload?: boolean // into the store, where the machines share no folder
}
