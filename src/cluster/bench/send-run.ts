import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { ElsewhereWork } from '../../../eval/bench/open-bench.ts'
import { asksOf } from '../../../eval/runner/asks-of-sample.ts'
import { readJson } from '../../../eval/runner/run-folder.ts'
import { shardsOf } from '../../../eval/runner/shards.ts'
import { askingToSend } from '../../../eval/sent/sent-asking.ts'
import { type SentShard, shardToSend } from '../../../eval/sent/sent-shard.ts'
import type { Database } from '../data/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { addNeeds } from '../data/catalogue/videos.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import { readRun, saveRun } from './answers.ts'
import { askNeed, freezeAsking } from './frozen-asking.ts'
import { putShard } from './run-store.ts'
import type { SentRun } from './sent-run.ts'
import { type ShardRow, saveShards } from './shards.ts'

export interface QueueWorld {
  database: Database
  engine: Engine
  store: ArtifactStore
  config: string // of the indexes, as hash
  priority: number
  // The videos at these paths, known to every machine by their ids.
  videos(
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, { id: string } | { fault: string }>>
  // Asks for what is missing of these indexes; shards are sent as soon as their index is there.
  index(videos: readonly string[]): Promise<IndexRequest>
}

export interface IndexRequest {
  failed(): Promise<ReadonlyMap<string, string>> // videos without an index, and why
}

const fileName = 'cluster.json'
const ClusterFile = z.object({ run: z.string() })

// What a run is called in the database; undefined where it was never sent.
export async function sentAs(folder: string): Promise<string | undefined> {
  return ClusterFile.safeParse(await readJson(join(folder, fileName))).data?.run
}

// The run as rows that workers find, made once: whoever is killed in the middle begins it again under the same name.
export async function sendRun(work: ElsewhereWork, world: QueueWorld, signal: AbortSignal): Promise<string> {
  const { files } = work
  const known = await sentAs(files.folder)
  const run = known ?? `${basename(files.folder)}-${randomUUID().slice(0, 8)}`
  if (known === undefined) await files.json(fileName, { run })
  if (await readRun(world.database, run)) return run
  const { parts } = work
  const { settings, runtime, redact, request, options } = parts
  const asking = await freezeAsking(settings, redact(settings), runtime.host)
  const need = askNeed(asking, request.by)
  const videos = await locatedVideos(work, world, signal)
  const shards = await putShards(work, world, run, videos, {
    queue: need.queue,
    free: options.trajectory === 'free',
    together: parts.by === 'model' ? parts.benchmark.frames.batch?.wanted(options) : undefined,
  })
  const sent: SentRun = {
    run: files.run,
    asking: askingToSend(parts),
    queue: need.queue,
    preflight: await readJson(join(files.folder, 'preflight.json')),
  }
  await world.engine.queue(need.queue)
  await world.database.transaction(async sql => {
    await addNeeds(sql, [need])
    await saveRun(sql, { id: run, environment: redact(sent), config: asking })
    await saveShards(sql, shards)
  })
  return run
}

async function locatedVideos(
  { parts, samples }: ElsewhereWork,
  world: QueueWorld,
  signal: AbortSignal,
): Promise<SentShard['videos']> {
  const names = new Set(
    samples.flatMap(({ sample }) => [
      sample.video,
      ...asksOf(parts.benchmark, sample, parts.tasks, parts.by).map(ask => ask.video),
    ]),
  )
  const found = new Map([...names].map(name => [name, parts.find(name)] as const))
  const paths = [...found.values()].flatMap(one => ('path' in one ? [one.path] : []))
  const ids = await world.videos([...new Set(paths)], signal)
  return Object.fromEntries(
    [...found].map(([name, one]) => [
      name,
      'path' in one ? (ids.get(one.path) ?? { fault: `${name} was not found.` }) : { fault: one.fault },
    ]),
  )
}

// A shard whose video is not there is none: its questions are settled by the machine that has begun the run.
async function putShards(
  { samples, files }: ElsewhereWork,
  { store, config, priority }: QueueWorld,
  run: string,
  videos: SentShard['videos'],
  how: { queue: string; free: boolean; together?: number },
): Promise<ShardRow[]> {
  const byId = new Map(samples.map(located => [located.sample.id, located]))
  const rows: ShardRow[] = []
  for (const [n, shard] of shardsOf(
    samples.map(({ sample }) => sample),
    how,
  ).entries()) {
    const video = videos[shard.video]
    if (!video || 'fault' in video) continue
    const located = shard.samples.flatMap(id => byId.get(id) ?? [])
    const subtitles: SentShard['subtitles'] = {}
    for (const { subtitles: path } of located)
      if (path !== undefined) subtitles[path] ??= { name: basename(path), text: await readFile(path, 'utf8') }
    const before = located.flatMap(({ sample }) => files.lines.get(sample.id) ?? [])
    await putShard(store, run, n, shardToSend(located, { videos, subtitles, before }))
    rows.push({ run, n, video: video.id, config, queue: how.queue, samples: shard.samples, priority })
  }
  return rows
}
