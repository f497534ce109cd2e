import type { Config } from '../../../src/config/schema.ts'
import type { Watch } from '../../../src/core/agent.ts'
import type { Host } from '../../../src/core/backend.ts'
import type { Library } from '../../../src/store/library/library.ts'
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
