import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { VideoFile } from '../../../eval/data/find-videos.ts'
import { readJsonFile } from '../../../eval/data/read-json-file.ts'
import { buildAsks } from '../../../eval/runner/ask/asks-of-sample.ts'
import type { LocatedSample } from '../../../eval/runner/ask/process-samples.ts'
import { type BenchParts, modelNames } from '../../../eval/runner/bench-parts.ts'
import { pastQuestions } from '../../../eval/runner/files/past-runs.ts'
import { sentAs, sentFile } from '../../../eval/runner/files/sent-as.ts'
import { writeSpec } from '../../../eval/runner/open-spec.ts'
import type { RunnerWork } from '../../../eval/runner/runner.ts'
import { type SentShard, shardToSend } from '../../../eval/runner/sent-shard.ts'
import { cutShards, type Sharding } from '../../../eval/runner/shards.ts'
import { addNeeds } from '../data/catalogue/videos.ts'
import { priorities } from '../jobs/plan-video.ts'
import { type ShardRow, saveShards } from '../jobs/shards.ts'
import type { Cluster } from '../open-cluster.ts'
import { putBytes } from '../store/object-bytes.ts'
import { questionRequirements } from './answering-spec.ts'
import { readRunRow, saveRun } from './answers.ts'
import { registerVideos } from './index-videos.ts'
import { runObjects } from './run-store.ts'
import type { SentRun } from './sent-run.ts'

// What a command needs of the cluster to have a run asked.
export type QueueWorld = Pick<Cluster, 'database' | 'engine' | 'store' | 'settings'>

// The run as rows that workers find, made once: whoever is killed in the middle begins it again under the same name.
export async function sendRun(work: RunnerWork, world: QueueWorld): Promise<string> {
  const { files } = work
  const sentRun = await sentAs(files.folder)
  const run = sentRun ?? `${basename(files.folder)}-${randomUUID().slice(0, 8)}`
  if (sentRun === undefined) await files.json(sentFile, { run })
  if (await readRunRow(world.database, run)) return run
  const { parts } = work
  const { settings, redact, request, options } = parts
  const spec = await writeSpec(parts)
  const need = questionRequirements(spec, request.by)
  const located = await locatedVideos(work, world)
  const shards = await putShards(work, world, run, {
    ...located,
    queue: need.queue,
    free: options.trajectory === 'free',
    secondsEach: (await pastQuestions(parts.world.home, modelNames(settings)))?.seconds,
    together: parts.by === 'alone' ? parts.benchmark.frames.batch?.wanted(options) : undefined,
  })
  const { settings: _, models: __, ...asking } = spec
  const sent: SentRun = {
    run: files.run,
    asking,
    queue: need.queue,
    preflight: await readJsonFile(join(files.folder, 'preflight.json')),
  }
  await world.engine.queue(need.queue)
  await world.database.transaction(async sql => {
    await addNeeds(sql, [need])
    await saveRun(sql, { id: run, environment: redact(sent), config: { settings: spec.settings, models: spec.models } })
    await saveShards(sql, shards)
  })
  return run
}

interface Located {
  videos: SentShard['videos'] // by the names of the data
  config: string // of their indexes
}

async function locatedVideos({ parts, samples }: RunnerWork, world: QueueWorld): Promise<Located> {
  const names = videoNames(parts, samples)
  const fileByName = new Map([...names].map(name => [name, parts.find(name)] as const))
  const paths = [...fileByName.values()].flatMap(one => ('path' in one ? [one.path] : []))
  const { videos, config } = await registerVideos(parts, world, [...new Set(paths)])
  const isRegistered = (name: string, one: VideoFile) =>
    'path' in one ? (videos.get(one.path) ?? { fault: `${name} was not found.` }) : { fault: one.fault }
  return { config, videos: Object.fromEntries([...fileByName].map(([name, one]) => [name, isRegistered(name, one)])) }
}

function videoNames({ benchmark, tasks, by }: BenchParts, samples: readonly LocatedSample[]): string[] {
  const of = ({ sample }: LocatedSample) => [
    sample.video,
    ...buildAsks(benchmark, sample, tasks, by).map(ask => ask.video),
  ]
  return [...new Set(samples.flatMap(of))]
}

// A shard whose video is not there is none: its questions are settled by the machine that has begun the run.
async function putShards(
  { parts, samples, files }: RunnerWork,
  { store }: QueueWorld,
  run: string,
  { videos, config, queue, ...sharding }: Located & { queue: string } & Sharding,
): Promise<ShardRow[]> {
  const byId = new Map(samples.map(located => [located.sample.id, located]))
  const rows: ShardRow[] = []
  const shards = cutShards(
    samples.map(({ sample }) => sample),
    sharding,
  )
  for (const [n, shard] of shards.entries()) {
    const video = videos[shard.video]
    if (!video || 'fault' in video) continue
    const located = shard.samples.flatMap(id => byId.get(id) ?? [])
    const before = located.flatMap(({ sample }) => files.lines.get(sample.id) ?? [])
    const named = Object.fromEntries(
      videoNames(parts, located).flatMap(name => (videos[name] ? [[name, videos[name]]] : [])),
    )
    const sent = { videos: named, subtitles: await readSubtitles(located), before }
    await putBytes(store, runObjects.shard(run, n), shardToSend(located, sent))
    rows.push({ run, n, video: video.id, config, queue, samples: shard.samples, priority: priorities.normal })
  }
  return rows
}

async function readSubtitles(located: readonly LocatedSample[]): Promise<SentShard['subtitles']> {
  const paths = new Set(located.flatMap(({ subtitles }) => subtitles ?? []))
  const files = [...paths].map(
    async path => [path, { name: basename(path), text: await readFile(path, 'utf8') }] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}
