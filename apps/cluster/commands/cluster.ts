import type { CommandRun } from '../../../src/cli/command.ts'
import { exitCodes } from '../../../src/cli/fail.ts'
import { result } from '../../../src/cli/output.ts'
import { alignColumns } from '../../../src/cli/show/format.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { countPhrase } from '../../../src/core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../../src/core/words/visible-text.ts'
import { allFailures, forgiveFailures } from '../data/catalogue/failures.ts'
import { requestsLike } from '../data/catalogue/requests.ts'
import { drainWorker, workers } from '../data/catalogue/workers.ts'
import { advance } from '../jobs/advance.ts'
import { cancelRequest } from '../jobs/cancel-request.ts'
import { initCluster } from '../setup/init.ts'
import { withQueue } from './with-cluster.ts'

const init: CommandRun = async call => {
  const { settings } = await call.settings()
  const report = await initCluster(settings.cluster, call.world.environment)
  const { database, schema, migrations, store, storeSeconds, missing, join } = report
  const outcome = migrations.length > 0 ? 'made' : 'there already'
  result(call, report, [
    `Database ${database}: tables of version ${schema} ${outcome}, and those of the queue.`,
    `Store ${visibleFileName(store)}: written, read and removed in ${(storeSeconds * 1000).toFixed(0)} ms.`,
    ...missing.map(visibleLine),
    '',
    'Another machine joins with these, and begins to work with `longtake cluster worker`:',
    `  ${join}`,
  ])
  return exitCodes.ok
}

const cancel: CommandRun = call =>
  withQueue(call, async ({ database, engine }) => {
    const start = call.argument()
    const requests = await requestsLike(database, start)
    const [request] = requests
    if (!request || requests.length > 1)
      throw new UsageError(
        `${requests.length === 0 ? 'No request' : 'More than one request'} begins with "${start}".`,
        {
          hint: '`longtake cluster status` lists them.',
        },
      )
    const jobs = await cancelRequest(database, engine, request.id)
    const message =
      jobs === undefined
        ? `Request ${request.id} is ${request.state} already.`
        : `Request ${request.id} is cancelled, with ${jobs} of its jobs; what is finished stays.`
    result(call, { request: request.id, cancelled: jobs !== undefined, jobs: jobs ?? 0 }, [message])
    return exitCodes.ok
  })

const failures: CommandRun = call =>
  withQueue(call, async ({ database, engine }) => {
    const rows = await allFailures(database)
    const retry = call.has('--retry')
    const videos = retry ? await database.transaction(forgiveFailures) : []
    for (const video of videos) await database.transaction(sql => advance(sql, engine, video))
    const lines = rows.map(({ name, video, stage, kind, attempts, message }) => [
      visibleFileName(name ?? video),
      stage,
      kind,
      countPhrase(attempts, 'attempt'),
      message,
    ])
    const last = rows.length === 0 ? ['Nothing has failed.'] : retry ? ['They are tried again by the next worker.'] : []
    result(call, { failures: rows, retried: retry }, [...alignColumns(lines).map(visibleLine), ...last])
    return exitCodes.ok
  })

const drain: CommandRun = call =>
  withQueue(call, async ({ database }) => {
    const workerName = call.argument()
    const named = (await workers(database)).filter(({ id, host }) => id === workerName || host === workerName)
    if (named.length === 0)
      throw new UsageError(`No worker that lives is called "${workerName}".`, {
        hint: '`longtake cluster status` lists them; give an id, or the name of a machine for all of its workers.',
      })
    for (const { id } of named) await drainWorker(database, id)
    await database.notify('drain')
    const ids = named.map(({ id }) => id)
    result(call, { draining: ids }, [`${ids.join(', ')}: takes no new jobs, gives back those it has begun, and ends.`])
    return exitCodes.ok
  })

export const clusterCommands = { init, cancel, failures, drain }
