import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { absentAs, errorText } from '../../src/core/errors.ts'
import { exists } from '../../src/store/read-file.ts'
import { commandOutput, killedCommand, type Ran } from './killed-command.ts'
import type { KillRecord, Kind, RoundFolder, RoundOutcome } from './kinds.ts'
import { orphansWith } from './processes.ts'

export interface KindReport {
  kind: string
  kills: number
  mainOnly: number // kills of the main process alone
  resumes: number // starts after a kill
  rounds: number // ends that were compared with the undisturbed one
  seconds: number
  lost: number
  doubled: number
  differing: number // rounds whose result differs, or that did not end well
  leftFiles: number
  orphans: number
  problems: string[]
}

interface KindRequest {
  kills: number
  random: () => number
  folder: string
  keep?: boolean // the folders of the rounds that went wrong
  progress?(line: string): void
}

const maxKillsOfARound = 6

// Runs a command undisturbed, then kills and resumes it in fresh folders until it was killed so many times.
export async function runKind(kind: Kind, { kills, random, folder, keep, progress }: KindRequest): Promise<KindReport> {
  const began = performance.now()
  const report: KindReport = {
    ...{ kind: kind.name, kills: 0, mainOnly: 0, resumes: 0, rounds: 0, seconds: 0 },
    ...{ lost: 0, doubled: 0, differing: 0, leftFiles: 0, orphans: 0, problems: [] },
  }
  const reference = await round(kind, await freshPlace(kind, undisturbed(folder, kind.name)), () => undefined)
  if ('problem' in reference) throw new Error(`${kind.name}, undisturbed: ${reference.problem}`)
  for (let at = 1; report.kills < kills; at++) {
    const roundFolder = await freshPlace(kind, placeOf(folder, kind.name, `round-${at}`))
    const killsLeft = Math.min(kills - report.kills, 1 + Math.floor(random() * maxKillsOfARound))
    const plan = (kill: number): KillPlan | undefined =>
      kill < killsLeft
        ? { after: (0.02 + 0.98 * random()) * reference.longest, only: random() < 0.4 ? 'main' : undefined }
        : undefined
    const ended = await round(kind, roundFolder, plan)
    report.kills += ended.kills
    report.mainOnly += ended.mainOnly
    report.resumes += ended.resumes
    const problems = judge(reference.outcome, ended, report)
    report.rounds++
    report.problems.push(...problems.map(problem => `${kind.name}, round ${at}: ${problem}`))
    if (problems.length > 0) progress?.(`${kind.name}, round ${at}, ${roundFolder.folder}: ${problems.join('; ')}`)
    if (!keep || problems.length === 0) await rm(roundFolder.folder, { recursive: true, force: true })
  }
  report.seconds = Math.round((performance.now() - began) / 1000)
  return report
}

interface KillPlan {
  after: number // seconds
  only?: 'main'
}

interface Ended {
  kills: number
  mainOnly: number
  resumes: number
  longest: number // seconds of the longest start
  outcome: RoundOutcome
  left: string[]
  orphans: number
}

type Failed = Pick<Ended, 'kills' | 'mainOnly' | 'resumes'> & { problem: string }

// One fresh place from the first start to the first end by itself.
async function round(
  kind: Kind,
  place: RoundFolder,
  plan: (kill: number) => KillPlan | undefined,
): Promise<Ended | Failed> {
  const temporary = join(place.folder, 'tmp')
  await mkdir(temporary)
  const killed: KillRecord = { kills: 0, printed: [] }
  const counts = { mainOnly: 0, resumes: 0, longest: 0 }
  for (let start = 0; ; start++) {
    const { words, input, environment } = await kind.next(place)
    const kill = plan(killed.kills)
    const since = Date.now()
    const options = { home: place.home, temporary, environment, input, killAfter: kill?.after, only: kill?.only }
    const ran = await killedCommand(words, options)
    killed.printed.push(ran.out)
    counts.longest = Math.max(counts.longest, ran.seconds)
    if (start > 0) counts.resumes++
    if (ran.killed) {
      killed.kills++
      if (kill?.only) counts.mainOnly++
      continue
    }
    const fault = faultOf(words, ran)
    if (fault) return { kills: killed.kills, ...counts, problem: fault }
    if (kind.isFinished && !(await kind.isFinished(place))) continue
    const orphans = await orphansWith(temporary, 10)
    const leftovers = await leftBehind(place.folder, since, temporary)
    try {
      if (kind.videos) await commandOutput(['cache', 'verify'], place)
      const outcome = await kind.outcome(place, killed)
      return { kills: killed.kills, ...counts, outcome, left: leftovers, orphans: orphans.length }
    } catch (error) {
      return { kills: killed.kills, ...counts, problem: errorText(error) }
    }
  }
}

function faultOf(words: string[], { code, err }: Ran): string | undefined {
  if (code === 0) return undefined
  return `"${words.slice(0, 3).join(' ')}" ended with code ${code}: ${err.trim().split('\n').slice(-2).join(' ')}`
}

function judge(expected: RoundOutcome, ended: Ended | Failed, report: KindReport): string[] {
  if ('problem' in ended) {
    report.differing++
    return [ended.problem]
  }
  const { outcome, left, orphans } = ended
  const differs = !isDeepStrictEqual(outcome.same, expected.same)
  report.lost += outcome.lost
  report.doubled += outcome.doubled
  report.leftFiles += left.length
  report.orphans += orphans
  if (differs) report.differing++
  return [
    ...(differs ? [`the result differs: ${firstDifference(expected.same, outcome.same)}`] : []),
    ...(outcome.lost > 0 ? [`${outcome.lost} lost`] : []),
    ...(outcome.doubled > 0 ? [`${outcome.doubled} done twice`] : []),
    ...left.map(path => `left behind: ${path}`),
    ...(orphans > 0 ? [`${orphans} processes live on`] : []),
  ]
}

// The path of the first value that differs, with both values cut short.
function firstDifference(a: unknown, b: unknown, path = ''): string {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return `${path || 'all'}: ${JSON.stringify(a)?.slice(0, 120)} and now ${JSON.stringify(b)?.slice(0, 120)}`
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const name = [...new Set([...Object.keys(left), ...Object.keys(right)])].find(
    key => !isDeepStrictEqual(left[key], right[key]),
  )
  return name === undefined ? path : firstDifference(left[name], right[name], `${path}/${name}`)
}

async function freshPlace(kind: Kind, place: RoundFolder): Promise<RoundFolder> {
  await mkdir(place.folder, { recursive: true })
  await kind.fresh(place)
  return place
}

// Where the run of a kind that is not killed happens, and stays.
export function undisturbed(folder: string, kind: string): RoundFolder {
  return placeOf(folder, kind, 'undisturbed')
}

function placeOf(folder: string, kind: string, round: string): RoundFolder {
  const own = join(folder, `${kind.replaceAll(' ', '-')}-${round}`)
  return { folder: own, home: join(own, 'home') }
}

const temporaryName = /^\.tmp-|\.(new|part|incomplete)$/

// Temporary files and folders below `folder` that were there before `since` (milliseconds): what a killed run left and
// the run after it did not take away. In `whole`, a TMPDIR, every name is temporary. A question that nobody resumed
// keeps what lies in the folder of its run.
async function leftBehind(folder: string, since: number, whole: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const leftovers: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!temporaryName.test(entry.name) && entry.parentPath !== whole) continue
    if (await isOfUnfinishedRun(path)) continue
    const { mtimeMs } = await stat(path).catch(absentAs({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < since) leftovers.push(path)
  }
  return leftovers
}

async function isOfUnfinishedRun(path: string): Promise<boolean> {
  const run = /^.*\/home\/runs\/\w[^/]*(?=\/)/.exec(path)?.[0]
  if (!run) return false
  return !(await exists(join(run, 'summary.json')))
}
