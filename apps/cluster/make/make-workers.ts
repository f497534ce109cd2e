import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { MakeWorkers, OpenedMaking, SentMaking, SentStep } from '../../../eval/make/machine/workers.ts'
import { sentAs, sentFile } from '../../../eval/runner/files/sent-as.ts'
import { InterruptedError, UsageError } from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import type { Video } from '../../../src/core/video.ts'
import { visibleFileName } from '../../../src/core/words/visible-text.ts'
import { usageCost } from '../../../src/runtime/models/prices.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { removeFile, writeDurably } from '../../../src/store/durable.ts'
import { listSecrets, redactor } from '../../../src/store/redact.ts'
import { readRunRow } from '../bench/answers.ts'
import { registerVideos } from '../bench/index-videos.ts'
import { closeRun, openRequest, runRequestId } from '../bench/run-request.ts'
import { forgiveVideos } from '../data/catalogue/failures.ts'
import { readWants } from '../data/catalogue/requests.ts'
import { addNeeds } from '../data/catalogue/videos.ts'
import type { Sql } from '../data/sql.ts'
import { cancelRequest } from '../jobs/cancel-request.ts'
import { followRequest } from '../jobs/follow.ts'
import { queuedVideo, queueVideos } from '../jobs/queue-videos.ts'
import { readVideoError } from '../jobs/report.ts'
import { askSteps, type MakingContext } from './ask-steps.ts'
import { freezeMaking, makingRequirements, QueuedMaking } from './frozen-making.ts'
import { giveCall, moneyOn, openMaking, readMadeCalls, reopenSteps } from './made-calls.ts'

// With other prompts of its own, settings or another seed it is another step.
export function keyOfStep({ prompts, ...sent }: SentMaking, step: SentStep): string {
  return contentHash([sent, prompts[step.name] ?? {}, step]).slice(0, 32)
}

// The workers of a cluster, for one making. What they were told is in the database: whoever begins the command again finds it there.
export function makeWorkers(world: MakingContext): MakeWorkers {
  const { cluster, signal, say } = world
  const { database } = cluster
  let sentJob: { run: string; queue: string; folder: string; sent: SentMaking } | undefined
  const far = { done: 0, total: 0 }
  const orStopped = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!signal.aborted) throw error
      const hint = sentJob
        ? `Resume with: longtake bench make --resume ${visibleFileName(sentJob.folder)} --queue`
        : 'The same command goes on where it stopped.'
      throw new InterruptedError('Stopped; the workers go on with what they were sent.', { cause: error, hint })
    }
  }
  return {
    index: (paths, runtime) => orStopped(() => indexSources(world, paths, runtime)),
    async open(making) {
      sentJob = { folder: making.folder, sent: making.sent, ...(await sendMaking(world, making)) }
      say(`Its name in the cluster is ${sentJob.run}.`)
    },
    async ask(steps) {
      const { run, queue, sent } = opened(sentJob)
      const byKey = new Map(steps.map(step => [keyOfStep(sent, step), step]))
      const isOutOfMoney = await orStopped(() => askSteps(world, { run, queue, far, steps: byKey }))
      const calls = await readMadeCalls(database, run, [...byKey.keys()])
      if (isOutOfMoney) await closeRun(database, run, far.done, 1)
      return { calls, isAll: !isOutOfMoney, spent: await moneyOn(database, run) }
    },
    async end(isWhole) {
      const { run, folder } = opened(sentJob)
      await closeRun(database, run, far.done, 0)
      if (isWhole) await forgetMaking(folder)
    },
  }
}

function opened<Made>(made: Made | undefined): Made {
  if (made === undefined) throw new Error('The making was not opened.')
  return made
}

// Takes a making back from the workers: they begin no further step of it, and what they were told is not asked again.
export function makingTakenBack({ cluster }: Pick<MakingContext, 'cluster'>, run: string): MakeWorkers {
  const { database, engine } = cluster
  let making: OpenedMaking | undefined
  return {
    async index() {},
    async open(given) {
      making = given
      await cancelRequest(database, engine, runRequestId(run))
      await giveCalls(database, run, given)
    },
    async ask(steps) {
      const { sent } = opened(making)
      const keys = steps.map(step => keyOfStep(sent, step))
      const calls = await readMadeCalls(database, run, keys)
      return { calls, isAll: false, spent: await moneyOn(database, run) }
    },
    async end(isWhole) {
      if (isWhole) await forgetMaking(opened(making).folder)
    },
  }
}

// What the folder holds of calls, for the workers, and for what is spent.
async function giveCalls(sql: Sql, run: string, { runtime, calls }: OpenedMaking): Promise<void> {
  const redact = redactor(listSecrets(runtime.host.environment))
  for (const { name, price, ...answered } of calls)
    await giveCall(sql, run, name, { ...redact(answered), money: usageCost(answered.reply.usage, price) })
}

// A set that is whole says nothing of who has made it.
const forgetMaking = (folder: string) => removeFile(markOf(folder))
const markOf = (folder: string) => join(folder, 'made', sentFile)

// The making as a row that workers find. With other models or more money than before it is the same making.
async function sendMaking({ cluster: { database, engine, settings } }: MakingContext, making: OpenedMaking) {
  const { sent, runtime, folder, videos } = making
  const sentEarlier = await sentAs(dirname(markOf(folder)))
  const run = sentEarlier ?? `${basename(folder)}-${randomUUID().slice(0, 8)}`
  if (sentEarlier === undefined) await writeDurably(markOf(folder), `${JSON.stringify({ run })}\n`, 'umask')
  const frozen = await freezeMaking(runtime.settings, runtime.host)
  const need = makingRequirements(sent, frozen)
  const paths = [...new Set(videos.values())]
  const registered = await registerVideos({ runtime, by: 'longtake' }, { database, settings }, paths)
  const ids = [...videos].flatMap(([name, path]) => {
    const video = registered.videos.get(path)
    return video ? [[name, video]] : []
  })
  const { money } = runtime.settings.budget
  const redact = redactor(listSecrets(runtime.host.environment))
  const queued: QueuedMaking = redact({ making: sent, queue: need.queue, videos: Object.fromEntries(ids), money })
  const before = QueuedMaking.safeParse((await readRunRow(database, run))?.environment).data
  const makingKey = ({ making, queue }: QueuedMaking) => contentHash([making, queue])
  if (before && makingKey(before) !== makingKey(queued)) await cancelRequest(database, engine, runRequestId(run))
  await engine.queue(need.queue)
  await database.transaction(async sql => {
    await addNeeds(sql, [need])
    await openMaking(sql, { id: run, environment: queued, config: frozen })
    await forgiveVideos(sql, [run])
    await reopenSteps(sql, run)
    await giveCalls(sql, run, making)
    await openRequest(sql, run, { by: `bench make ${run} on ${hostname()}`, total: 0, done: 0 })
  })
  return { run, queue: need.queue }
}

// Has the videos of a making indexed, as "longtake index --queue" does; one that cannot be indexed ends the making.
async function indexSources(
  { cluster, watch, signal }: MakingContext,
  paths: readonly string[],
  { settings, host, library }: LocalRuntime,
): Promise<void> {
  const indexWork = { cluster, settings, host, library, watch, signal }
  const videos: Video[] = []
  for (const path of paths) {
    const video = await queuedVideo(path, indexWork)
    const twin = videos.find(({ id }) => id === video.id)
    if (twin)
      throw new UsageError(`${path} has the same content as ${twin.path}; a cluster knows videos by their content.`, {
        hint: 'Leave one of them out, or make the set without --queue.',
      })
    videos.push(video)
  }
  if (videos.length === 0) return
  const id = await queueVideos(videos, 'normal', indexWork)
  const { database: sql } = cluster
  const { state } = await followRequest({ sql, id, watch, signal })
  if (state === 'cancelled')
    throw new InterruptedError(`The indexing of the videos (request ${id}) was cancelled.`, {
      hint: 'The same command resumes it.',
    })
  const failed = (await readWants(sql, id)).find(want => want.state !== 'done')
  if (!failed) return
  const path = videos.find(video => video.id === failed.video)?.path ?? failed.video
  throw await readVideoError(sql, failed.video, failed.note, path)
}
