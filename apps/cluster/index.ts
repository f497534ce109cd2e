// What other packages use of the cluster.
export { benchCluster, fetchCalls, fetchRun } from './commands/bench-queue.ts'
export { indexOnQueue } from './commands/index-queue.ts'
export { makeCluster } from './commands/make-queue.ts'
export { watchOnQueue } from './commands/watch-queue.ts'
export { openTables } from './library/open-tables.ts'
export { openQueue } from './open-cluster.ts'
export { pullShared } from './pull-shared.ts'
export { clusterStatus } from './status/gather.ts'
