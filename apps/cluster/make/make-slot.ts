import { hostname } from 'node:os'
import { join } from 'node:path'
import { askStep } from '../../../eval/make/machine/ask-step.ts'
import { openMedia } from '../../../eval/make/machine/media.ts'
import {
  checkMoney,
  type MakeReply,
  MoneySpent,
  type OpenRoles,
  openRoles,
  type ToAsk,
} from '../../../eval/make/machine/roles.ts'
import { SentStep } from '../../../eval/make/machine/workers.ts'
import type { Config } from '../../../src/config/schema.ts'
import type { Host } from '../../../src/core/backend.ts'
import { InputError, UsageError } from '../../../src/core/errors.ts'
import { contentHash } from '../../../src/core/json.ts'
import { usageCost } from '../../../src/runtime/models/prices.ts'
import { removeFolder } from '../../../src/store/durable.ts'
import { parseStoredJson } from '../../../src/store/read-file.ts'
import { listSecrets, redactor } from '../../../src/store/redact.ts'
import { sweepAbandoned, temporaryFolder } from '../../../src/store/temporary.ts'
import { readRunRow } from '../bench/answers.ts'
import { runRequestId } from '../bench/run-request.ts'
import { getStep } from '../bench/run-store.ts'
import { findRequest } from '../data/catalogue/requests.ts'
import type { MakeJob } from '../data/job.ts'
import { parseRow } from '../data/parse-row.ts'
import type { Database } from '../data/sql.ts'
import type { ArtifactStore } from '../store/artifact-store.ts'
import type { TaskEnding } from '../task/messages.ts'
import { FrozenMaking, QueuedMaking, withFrozenRoles } from './frozen-making.ts'
import { endStep, findCall, moneyLimit, moneyOn, nameOfCall, saveCall } from './made-calls.ts'

interface MakerContext {
  home: string
  own: Config // the settings of this machine
  host: Host
  database: Database
  store: ArtifactStore
  locate(video: string, signal: AbortSignal): Promise<string> // its file on this machine, fetched where it has to be
}

interface Work {
  progress(text: string, done: number, total: number): void
  signal: AbortSignal
}

interface Making {
  of: string // hash of what was opened
  queued: QueuedMaking
  roles: OpenRoles
  step?: { answer(call: ToAsk): Promise<MakeReply>; made(): void } // that is under way: who answers its calls
}

// Asks the steps of makings one after the other. The models of a making stay open for its next step.
export function openMaker(world: MakerContext) {
  let opened: Making | undefined
  const makingOf = async (run: string): Promise<Making> => {
    const row = await readRunRow(world.database, run)
    if (!row)
      throw new UsageError(`There is no making ${run} in the database of the cluster.`, {
        hint: '"longtake bench make RECIPE --queue" begins one.',
      })
    const of = contentHash(row)
    if (opened?.of === of) return opened
    await opened?.roles.close()
    opened = undefined
    const queued = parseRow(QueuedMaking, row.environment, 'a making')
    opened = await openMaking(world, { of, queued, config: row.config })
    return opened
  }
  return {
    async run(job: MakeJob, work: Work): Promise<TaskEnding> {
      const { database, store } = world
      const making = await makingOf(job.run)
      const step = parseStoredJson(await getStep(store, job.run, job.step)) as SentStep // as it was written
      parseRow(SentStep, step, 'a step of a making')
      const outOfMoney = await askedOrSpent(world, making, { ...work, job, step })
      await endStep(database, job.run, job.step, `${hostname()}-${process.pid}`, outOfMoney)
      await database.notify(`run ${job.run}`)
      return { kind: 'made' }
    },
  }
}

// Every call goes through the database, so that nothing that the folder of the models keeps is ever read again.
async function openMaking(
  { home, own, host }: MakerContext,
  { of, queued, config }: Pick<Making, 'of' | 'queued'> & { config: unknown },
): Promise<Making> {
  const makingsFolder = join(home, 'cluster', 'makings')
  await sweepAbandoned(makingsFolder)
  const folder = temporaryFolder(makingsFolder)
  const settings = withFrozenRoles(parseRow(FrozenMaking, config, 'models of a making'), own)
  const roles = await openRoles({
    runtime: { settings, host },
    folder: folder.path,
    redact: redactor(listSecrets(host.environment)),
    async answer(call) {
      if (open.step) return open.step.answer(call)
      throw new Error('A model was asked between two steps.')
    },
    onCall: () => open.step?.made(),
  })
  const close = async () => {
    await roles.close()
    await removeFolder(folder.path)
    folder.done()
  }
  const open: Making = { of, queued, roles: { ...roles, close } }
  return open
}

async function askedOrSpent(
  world: MakerContext,
  making: Making,
  { job, step, progress, signal }: Work & { job: MakeJob; step: SentStep },
): Promise<boolean> {
  const { queued, roles } = making
  const { making: sent, videos } = queued
  let calls = 0
  const reportCall = () => progress(`${step.name} of ${step.record.video_id}: ${++calls} calls`, 0, 1)
  making.step = { answer: storedAnswers(world, job), made: reportCall }
  const media = openMedia(async name => {
    const video = videos[name] ?? { fault: `The video ${name} is not there to look at.` }
    if ('fault' in video) throw new InputError(video.fault)
    return world.locate(video.id, signal)
  }, signal)
  try {
    await askStep(step, sent, { models: roles.models, media, signal })
    return false
  } catch (error) {
    if (error instanceof MoneySpent) return true
    throw error
  } finally {
    making.step = undefined
  }
}

// A worker hears of it within seconds; what it would ask until then might be asked a second time.
async function refuseCancelled(database: Database, run: string): Promise<void> {
  if ((await findRequest(database, runRequestId(run)))?.state === 'open') return
  throw new UsageError(`The making ${run} is over, or was cancelled.`, {
    hint: 'Its "longtake bench make --resume SET --queue" resumes it.',
  })
}

// What this step was told before, by whichever worker, is not asked again; a call that is answered is written down before the next one.
function storedAnswers({ database, host }: MakerContext, { run, step }: MakeJob) {
  const redact = redactor(listSecrets(host.environment))
  const times = new Map<string, number>()
  return async ({ key, price, own }: ToAsk): Promise<MakeReply> => {
    const n = (times.get(key) ?? 0) + 1
    times.set(key, n)
    const name = nameOfCall(key, n)
    const storedCall = await findCall(database, run, step, name)
    if (storedCall) return storedCall
    await refuseCancelled(database, run)
    const limit = await moneyLimit(database, run)
    const spent = limit === undefined ? 0 : await moneyOn(database, run)
    checkMoney(spent, limit)
    const answered = await own()
    const cost = usageCost(answered.reply.usage, price)
    return saveCall(database, run, step, name, { ...redact(answered), money: cost })
  }
}
