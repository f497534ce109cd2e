import { hostname } from 'node:os'
import type { BenchParts } from '../../../eval/runner/bench-parts.ts'
import { unpackedIn } from '../../../eval/runner/find-files.ts'
import { groupBy } from '../../../src/core/basics/group-by.ts'
import { errorText, UsageError } from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import { FrozenIndex, type FrozenVideo, freezeIndex, freezeVideo } from '../../../src/runtime/index/frozen-index.ts'
import { locateVideo } from '../../../src/runtime/index/locate-video.ts'
import { filePolicy } from '../../../src/runtime/index/plan-stages.ts'
import { readWants } from '../data/catalogue/requests.ts'
import { addConfig, addSource, findConfig, insertVideo } from '../data/catalogue/videos.ts'
import { parseRow } from '../data/parse-row.ts'
import { readFrozenVideo } from '../jobs/plan-from-rows.ts'
import { requestIndex } from '../jobs/request-index.ts'
import { type Rooted, rootedPath } from '../jobs/roots.ts'
import { freeShards, type ShardRow } from '../jobs/shards.ts'
import type { Cluster } from '../open-cluster.ts'

const noIndex = 'frames' // in place of the hash of index settings, if a model alone is asked

type KnownVideo = { id: string } | { fault: string }

// Videos as every machine knows them, and what their indexes are made with. One that cannot be read is a fault of its questions.
export async function registerVideos(
  { runtime, by }: Pick<BenchParts, 'runtime' | 'by'>,
  { database, settings: { roots } }: Pick<Cluster, 'database' | 'settings'>,
  paths: readonly string[],
): Promise<{ videos: Map<string, KnownVideo>; config: string }> {
  const { library, settings, host } = runtime
  const { signal } = host
  const frozen = await freezeIndex(settings, host)
  const videos = new Map<string, KnownVideo>()
  for (const path of paths) {
    const source = await sharedPlace(path, roots, library.home)
    try {
      const video = await locateVideo(library, path, { ...filePolicy(settings.index), watch: () => {}, signal })
      await insertVideo(database, { ...video, probe: await freezeVideo(video, frozen) })
      await addSource(database, video.id, source)
      videos.set(path, { id: video.id })
    } catch (error) {
      signal.throwIfAborted()
      videos.set(path, { fault: errorText(error) })
    }
  }
  if (by === 'alone') return { videos, config: noIndex }
  const config = contentHash(frozen).slice(0, 32)
  await addConfig(database, config, frozen)
  return { videos, config }
}

async function sharedPlace(path: string, roots: Cluster['settings']['roots'], home: string): Promise<Rooted> {
  const isUnpacked = path.startsWith(unpackedIn(home))
  return rootedPath(path, roots).catch(cause => {
    if (!isUnpacked || !(cause instanceof UsageError)) throw cause
    throw new UsageError(`${path} came out of an archive and lies only on this machine.`, {
      hint: 'Unpack the archive below a folder of cluster.roots, beside the data, or leave --queue out.',
      cause,
    })
  })
}

// Asks for what is missing of the indexes of these shards. When the index of a video is done, the same transaction sends its shards.
// Returns who tells the videos without an index, and why.
export async function requestIndexes(
  { database, engine }: Pick<Cluster, 'database' | 'engine'>,
  run: string,
  shards: readonly ShardRow[],
): Promise<() => Promise<ReadonlyMap<string, string>>> {
  const requests: string[] = []
  for (const [config, alike] of groupBy(shards, shard => shard.config)) {
    const ids = [...new Set(alike.map(shard => shard.video))]
    if (config === noIndex) {
      for (const id of ids) await database.transaction(async sql => engine.send(await freeShards(sql, id, config), sql))
      continue
    }
    const frozen = parseRow(FrozenIndex, await findConfig(database, config), 'settings of an index')
    const videos: FrozenVideo[] = []
    for (const id of ids) videos.push(await readFrozenVideo(database, id))
    requests.push(await requestIndex(database, engine, { frozen, videos, priority: 'normal', by: askedBy(run) }))
  }
  return async () => {
    const wants = (await Promise.all(requests.map(request => readWants(database, request)))).flat()
    return new Map(wants.flatMap(({ video, state, note = '' }) => (state === 'failed' ? [[video, note]] : [])))
  }
}

export const askedBy = (run: string) => `bench ${run} on ${hostname()}`
