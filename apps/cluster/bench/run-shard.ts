import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { loadBenchmark } from '../../../eval/benchmarks/index.ts'
import type { AskRecord, SampleLine } from '../../../eval/data/sample-line.ts'
import type { RunContext } from '../../../eval/runner/ask/run-context.ts'
import { runSamples } from '../../../eval/runner/ask/run-samples.ts'
import type { LineStore } from '../../../eval/runner/files/line-store.ts'
import { openSpec } from '../../../eval/runner/open-spec.ts'
import type { RowSpec } from '../../../eval/runner/run-spec.ts'
import { sentSamples } from '../../../eval/runner/sent-shard.ts'
import type { Config } from '../../../src/config/schema.ts'
import { contentHash } from '../../../src/core/json.ts'
import type { createRuntime } from '../../../src/runtime/runtime.ts'
import { ensureFolder, removeFolder, writeDurably } from '../../../src/store/durable.ts'
import type { Redact } from '../../../src/store/redact.ts'
import type { AskJob } from '../data/job.ts'
import type { Database } from '../data/sql.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import { getBytes } from '../store/object-bytes.ts'
import type { TaskEnding } from '../task/messages.ts'
import { resolveFrozenSettings } from './answering-spec.ts'
import { readAnswerLines, readAskRecords, saveAnswer, savePart } from './answers.ts'
import { changeOfRow, earlierLines, rowRecords, stagesOfRow } from './asked-row.ts'
import { pushCalls } from './calls-pack.ts'
import { putFrame, putRecords, runObjects } from './run-store.ts'
import { openSentRun } from './sent-run.ts'

type RuntimeOptions = Parameters<typeof createRuntime>[0]

interface AskContext extends Pick<RuntimeOptions, 'home' | 'environment' | 'shared' | 'turns'> {
  own: Config // the settings of this machine
  database: Database
  store: ArtifactStore
  locate(video: string, signal: AbortSignal): Promise<string> // its file on this machine, fetched where it has to be
  say(line: string): void
}

interface ShardWork {
  attempt: string
  progress(text: string, done: number, total: number): void
  signal: AbortSignal
}

// Asks shards one after the other. What a run is asked with stays open for its next shard.
export function openAsker(world: AskContext) {
  let opened: { run: string; asking: Promise<RunAsking> } | undefined
  const close = async () => {
    const before = opened
    opened = undefined
    await (await before?.asking.catch(() => undefined))?.asking.runtime.close()
  }
  const askingOf = async (run: string): Promise<RunAsking> => {
    if (opened?.run !== run) {
      await close()
      opened = { run, asking: openAsking(world, run) }
    }
    return opened.asking.catch(error => {
      opened = undefined
      throw error
    })
  }
  return {
    async run(job: AskJob, { attempt, progress, signal }: ShardWork): Promise<TaskEnding> {
      const asking = await askingOf(job.run)
      const folder = join(world.home, 'cluster', 'runs', contentHash(job.run).slice(0, 16), String(job.shard))
      await askShard(world, asking, job, { attempt, folder, progress, signal })
      await pushCalls(world.store, { run: job.run, n: job.shard, attempt, folder: join(folder, 'calls') })
      await removeFolder(folder)
      return { kind: 'made', ran: asking.asking.runtime.models.ran() }
    },
    close,
  }
}

interface RunAsking {
  asking: RunContext
  concurrency: number
  row?: RowSpec
}

async function openAsking(world: AskContext, run: string): Promise<RunAsking> {
  const { spec } = await openSentRun(world.database, run)
  const { home, environment, shared, turns, say } = world
  const config = await resolveFrozenSettings(spec, world.own, home)
  const open = { home, environment, shared, turns, say, config }
  const { row, concurrency } = spec
  const stages = row && (await stagesOfRow(row, await loadBenchmark(spec.benchmark)))
  return { asking: await openSpec(spec, open, stages), concurrency, row }
}

async function askShard(
  { home, database, store, locate }: AskContext,
  { asking, concurrency, row }: RunAsking,
  job: AskJob,
  work: ShardWork & { folder: string },
): Promise<void> {
  const { attempt, folder, progress, signal } = work
  const shard = await getBytes(store, runObjects.shard(job.run, job.shard))
  const { located, before } = await sentSamples(shard.toString(), {
    video: id => locate(id, signal),
    subtitles: file => written(folder, file),
  })
  const jobSamples = new Set(job.samples)
  const samples = located.filter(({ sample }) => jobSamples.has(sample.id))
  const lines = await databaseLines({ database, store, job, before, redact: asking.redact })
  const earlier = row ? await earlierLines(database, row, job.run, job.samples) : []
  if (row) await ensureFolder(folder)
  const change = row && (await changeOfRow(row, asking, { home, folder, earlier }))
  try {
    await runSamples(
      { ...asking, change },
      {
        samples,
        folder,
        signal,
        concurrency,
        store: lines,
        watch: event => event.type === 'stage' && progress(`index: ${event.stage}`, 0, samples.length),
        onSample: (line, { done, total }) => progress(`asked ${line.id}`, done, total),
      },
    )
  } finally {
    await change?.close()
    if (row) await putRecords(store, { run: job.run, n: job.shard, attempt, records: await rowRecords(folder) })
  }
}

// Files of subtitles have the name that the data give them: it says what is in them.
async function written(folder: string, { name, text }: { name: string; text: string }): Promise<string> {
  const path = join(folder, 'subtitles', contentHash(text).slice(0, 16), basename(name))
  await ensureFolder(dirname(path))
  await writeDurably(path, text, 'private', 'unsynced')
  return path
}

interface DatabaseLines {
  database: Database
  store: ArtifactStore
  job: AskJob
  before: readonly SampleLine[] // from before the run was sent
  redact: Redact
}

// The results of a shard in the tables that all workers share. A frame is in the store before the line that shows it is in the table.
async function databaseLines({ database, store, job, before, redact }: DatabaseLines): Promise<LineStore> {
  const { run, samples } = job
  const worker = `${hostname()}-${process.pid}`
  const lines = new Map(before.map(line => [line.id, line]))
  for (const line of await readAnswerLines(database, run, samples)) lines.set(line.id, line)
  const parts: Map<string, AskRecord[]> = await readAskRecords(database, run, samples)
  return {
    lines,
    parts,
    async append(line) {
      const isNew = await saveAnswer(database, run, redact(line), worker)
      lines.set(line.id, line)
      if (isNew) await database.notify(`run ${run}`)
    },
    appendPart: (id, ask) => savePart(database, run, id, redact(ask)),
    async frame(name, jpeg) {
      await putFrame(store, run, name, jpeg)
      return `frames/${name}`
    },
  }
}
