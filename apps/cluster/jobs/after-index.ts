import type { Follow } from './advance.ts'
import { fillAfterIndex } from './library-jobs.ts'
import { followShards } from './shards.ts'

// All that waits for an index. Whoever plans a video plans it for every request that wants it, so nobody may know of only one of these.
export const afterIndex: Follow = async (...ended) => [
  ...(await followShards(...ended)),
  ...(await fillAfterIndex(...ended)),
]
