import { mkdirSync } from 'node:fs'
import { seeded } from '../../servers/pieces.ts'
import { benchWork, makeBench } from './bench-work.ts'
import { indexWork } from './index-work.ts'
import { makeVideos } from './make-videos.ts'
import { type ProveOptions, proveOptions } from './options.ts'
import { makePlace, type ProofSite } from './place.ts'
import { proveOnce, type Round } from './round.ts'
import { added, isProved, nothing, verdictLine } from './verdict.ts'
import type { ProofWork } from './work.ts'

// Kills lose nothing and double nothing. The last line and the exit code say whether it holds.
const options = proveOptions(process.argv.slice(2))
if (options) {
  const site = makePlace()
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      interrupted.abort()
      site.remove(false).finally(() => process.exit(130))
    })
  let isGood = false
  try {
    isGood = await prove(site, options, interrupted.signal)
  } finally {
    if (!interrupted.signal.aborted) await site.remove(options.keep && !isGood)
    if (options.keep && !isGood) console.error(`Kept: ${site.folder}`)
  }
  process.exit(isGood ? 0 : 1)
}

async function prove(place: ProofSite, options: ProveOptions, signal: AbortSignal): Promise<boolean> {
  const { seed, workers, kills, databaseKills } = options
  const random = seeded(seed)
  const began = performance.now()
  const say = (line: string) =>
    console.error(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${line}`)
  const proofWork = await workOf(place, options, random, signal)
  say('one process alone')
  const alone = place.path('alone')
  mkdirSync(alone)
  const environment = { LONGTAKE_SERVERS: 'off' }
  const before = performance.now()
  const expected = await proofWork('', '').alone({
    home: alone,
    temporary: place.path('tmp'),
    config: place.config,
    environment,
  })
  const serial = (performance.now() - before) / 1000
  say(`${expected.size} files in ${serial.toFixed(0)} s; now ${workers} workers, seed ${seed}`)

  // Work that ends before all kills have happened is done once more by a new cluster.
  let verdict = nothing
  let killsLeft = { kills, databaseKills }
  for (let round = 1; round === 1 || killsLeft.kills + killsLeft.databaseKills > 0; round++) {
    const roundResult = await proveOnce(place, {
      name: `proof_${round}`,
      work: proofWork,
      expected,
      over: (0.7 * serial) / round, // faster where the last one was over too soon
      random,
      say,
      signal,
      workers,
      ...killsLeft,
    })
    verdict = added(verdict, roundResult.verdict)
    tell(round, roundResult, serial)
    if (!isProved(roundResult.verdict) || roundResult.problems.length > 0) return conclude(verdict, false)
    const { workers: killed, database } = roundResult.killed
    killsLeft = {
      kills: killsLeft.kills - killed.all - killed.supervisor - killed.child,
      databaseKills: killsLeft.databaseKills - database,
    }
  }
  return conclude(verdict, isProved(verdict))
}

function conclude(verdict: Parameters<typeof verdictLine>[0], isGood: boolean): boolean {
  for (const line of verdict.differing.slice(0, 20)) console.log(line)
  console.log(verdictLine(verdict))
  return isGood
}

async function workOf(
  place: ProofSite,
  { bench, videos: count, seconds, questions, seed }: ProveOptions,
  random: () => number,
  signal: AbortSignal,
): Promise<(store: string, collected: string) => ProofWork> {
  if (bench !== undefined) {
    const data = place.path('videos', bench)
    await makeBench(bench, seed, data, { home: place.path('made'), temporary: place.path('tmp') })
    return (_, collected) => benchWork(bench, { data, questions, out: collected })
  }
  const videos = await makeVideos(place.path('videos'), { count, seconds, random, signal })
  return (store, collected) => indexWork(videos, { store, collected })
}

function tell(nth: number, { killed, seconds, asked, jobs, attempts, verdict, problems }: Round, serial: number): void {
  const { all, supervisor, child } = killed.workers
  const times = asked > 1 ? `, asked ${asked} times` : ''
  console.log(
    `round ${nth}: ${jobs} jobs, ${attempts} attempts, ${attempts - jobs} reruns${times}; ${seconds} s (one process alone ${serial.toFixed(0)} s)`,
  )
  console.log(
    `  kill -9: ${all} workers with all they had, ${supervisor} supervisors, ${child} children, ${killed.database} times the database`,
  )
  console.log(`  ${verdict.identical} of ${verdict.files} files identical`)
  for (const problem of problems) console.log(`  wrong: ${problem}`)
}
