import type { Watch } from '../../../src/core/agent.ts'
import type { Cluster } from '../open-cluster.ts'

// What a command needs of the cluster to have a making asked.
export interface MakingContext {
  cluster: Cluster
  watch: Watch
  say(line: string): void
  signal: AbortSignal
}
