import { mkdirSync } from 'node:fs'
import { openDatabase } from '../../../apps/cluster/data/database.ts'
import type { Database } from '../../../apps/cluster/data/sql.ts'
import { orphansWith } from '../../kills/processes.ts'
import { type KilledProcesses, killAtRandom } from './killing.ts'
import type { ProveOptions } from './options.ts'
import type { ProofSite } from './place.ts'
import { runLongtake, type Start, startLongtake } from './start.ts'
import { compareResults, type ProofVerdict } from './verdict.ts'
import type { ProofWork } from './work.ts'
import { startWorkers } from './workers.ts'

export interface Round {
  verdict: ProofVerdict
  killed: KilledProcesses
  seconds: number
  asked: number
  jobs: number
  attempts: number
  problems: string[]
}

interface RoundInput extends Pick<ProveOptions, 'workers' | 'kills' | 'databaseKills'> {
  name: string // of the database and of the folders
  work(store: string, collected: string): ProofWork
  expected: ReadonlyMap<string, string>
  over: number // seconds in which the kills are to happen
  random: () => number
  say(line: string): void
  signal: AbortSignal
}

const maxAsks = 30

// The work once over by a new cluster, with kills on the way.
export async function proveOnce(place: ProofSite, given: RoundInput): Promise<Round> {
  const { name, workers: count, kills, databaseKills, expected, over, random, say, signal } = given
  const postgres = place.postgres()
  const admin = await openDatabase(postgres.address())
  await admin.query(`create database ${name}`)
  await admin.close()
  const [store, asker, libraries] = [place.path(name, 'store'), place.path(name, 'asker'), place.path(name, 'workers')]
  for (const folder of [store, asker, libraries]) mkdirSync(folder, { recursive: true })
  const environment = {
    ...{ LONGTAKE_CLUSTER: postgres.address(name), LONGTAKE_STORE: store },
    ...{ LONGTAKE_SERVERS: 'off' },
  }
  const common: Start = { home: asker, temporary: place.path('tmp'), config: place.config, environment }
  const proofWork = given.work(store, place.path(name, 'collected'))
  const problems: string[] = []
  await runLongtake(['cluster', 'init'], common)
  const began = performance.now()
  const workers = startWorkers({
    ...common,
    folder: libraries,
    count,
    random,
    signal,
    problem: text => problems.push(text),
  })
  const isOver = new AbortController()
  const killing = killAtRandom(
    postgres,
    workers,
    { kills, databaseKills, over, workers: count, random, say },
    isOver.signal,
  )
  const tries = await askUntilDone(proofWork, common, say)
  const seconds = Math.round((performance.now() - began) / 1000)
  isOver.abort()
  const killed = await killing
  problems.push(...(await workers.stop()))
  const database = await openDatabase(postgres.address(name))
  try {
    const { jobs, attempts, twice, left } = await countAttempts(database)
    problems.push(...left.map(what => `left at the end: ${what}`), ...twice.map(job => `completed twice: ${job}`))
    const orphans = await orphansWith(place.path('tmp'), 10)
    if (orphans.length > 0) problems.push(`${orphans.length} processes lived on after their workers.`)
    return {
      verdict: compareResults(expected, await proofWork.together(database, common), twice.length),
      ...{ killed, seconds, asked: tries, jobs, attempts, problems },
    }
  } finally {
    await database.close()
  }
}

// A job that was lost with three workers counts as poison, as it should: the same command asks again, as a person would.
async function askUntilDone({ words }: ProofWork, common: Start, say: (line: string) => void): Promise<number> {
  for (let attempts = 1; ; attempts++) {
    const { ended, said } = startLongtake(words(), common)
    const { code, signal } = await ended
    if (code === 0) return attempts
    if (code === 2) throw new Error(`The cluster cannot be asked:\n${said()}`)
    if (attempts === maxAsks)
      throw new Error(`The cluster was asked ${attempts} times and never came to its end:\n${said()}`)
    say(`the asking command ended with ${signal ?? code}, and is given again`)
  }
}

interface Counts {
  jobs: number
  attempts: number
  twice: string[] // jobs that were completed more than once
  left: string[] // what should not be left when nothing is to be done
}

// What the tables say once everything has ended.
async function countAttempts(database: Database): Promise<Counts> {
  const countRows = async (text: string) => Number((await database.query<{ n: number }>(text)).rows[0]?.n ?? 0)
  const leftovers = {
    'open requests': await countRows(`select count(*)::integer as n from longtake.request where state = 'open'`),
    'active jobs': await countRows(`select count(*)::integer as n from pgboss.job where state = 'active'`),
    failures: await countRows('select count(*)::integer as n from longtake.failure'),
  }
  return {
    jobs: await countRows('select count(distinct job)::integer as n from longtake.attempt'),
    attempts: await countRows('select count(*)::integer as n from longtake.attempt'),
    twice: (await database.query<{ name: string }>(twiceCompleted)).rows.map(({ name }) => name),
    left: Object.entries(leftovers).flatMap(([what, many]) => (many > 0 ? [`${many} ${what}`] : [])),
  }
}

const twiceCompleted = `
  select coalesce(stage, 'job') || ' of ' || coalesce(video, '?') || ', ' || job || ': ' ||
    string_agg(n || ' ' || coalesce(kind, 'open') || ' ' || started::time || ' to ' || coalesce(ended::time::text, '?'), '; ' order by n) as name
  from longtake.attempt group by job, stage, video having count(*) filter (where kind = 'completed') > 1`
