import { isAddress, publicAddress } from '../../core/basics/address.ts'
import { InterruptedError, LongtakeError, UsageError } from '../../core/errors.ts'
import { isPartial } from '../../core/video.ts'
import { visibleFileName } from '../../core/words/visible-text.ts'
import { indexEntry } from '../../runtime/documents.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { listVideos } from '../named-videos.ts'
import { result, watching } from '../output.ts'
import { fromPackage } from '../packages.ts'
import { type IndexOutcome, outcomeLines } from '../show/index-lines.ts'
import { remarkCosts } from './index-forecast.ts'

export const index: CommandRun = async call => {
  if (call.has('--watch')) return (await import('./index-watch.ts')).watchAndIndex(call)
  if (call.has('--dry-run')) return (await import('./index-forecast.ts')).forecastVideos(call)
  if (call.has('--queue')) return onQueue(call)
  const runtime = await call.runtime()
  const outcomes: IndexOutcome[] = []
  const paths: string[] = []
  for (const argument of call.arguments) {
    const files = await attempt(call, () => listVideos(call, argument))
    if ('error' in files) outcomes.push({ path: isAddress(argument) ? publicAddress(argument) : argument, ...files })
    else paths.push(...files.done)
  }
  for (const [at, path] of paths.entries()) {
    const title = paths.length > 1 ? `${visibleFileName(path)} (${at + 1} of ${paths.length})` : undefined
    await remarkCosts(call, path).catch(() => undefined) // the same fault ends the index, which reports it
    const report = await attempt(call, () =>
      watching(call, watch => runtime.videos.index(path, { watch, signal: call.signal }), title),
    )
    outcomes.push('error' in report ? { path, ...report } : { path, report: report.done })
  }
  return concludeIndexing(call, runtime.profile.name, outcomes)
}

async function onQueue(call: Call): Promise<number> {
  const { indexOnQueue } = await fromPackage('longtake-cluster', '--queue', () => import('longtake-cluster'))
  const ended = await indexOnQueue(call)
  return ended ? concludeIndexing(call, ended.profile, ended.outcomes) : exitCodes.ok
}

// Says what has become of the videos; returns the exit code.
export function concludeIndexing(call: Call, profile: string, outcomes: IndexOutcome[]): number {
  const [only, second] = outcomes
  if (only && 'error' in only && !second) throw only.error
  result(call, { profile, ...document(outcomes) }, outcomes.flatMap(outcomeLines))
  return exitCode(outcomes)
}

// An error of one video does not stop the others; an error of the settings does.
async function attempt<T>(call: Call, work: () => Promise<T>): Promise<{ done: T } | { error: LongtakeError }> {
  try {
    return { done: await work() }
  } catch (error) {
    const ends = error instanceof UsageError || error instanceof InterruptedError || !(error instanceof LongtakeError)
    if (ends || call.signal.aborted) throw error
    if (call.arguments.length > 1) call.terminal.say(`error: ${visibleFileName(error.message)}`)
    return { error }
  }
}

function document(outcomes: IndexOutcome[]): object {
  const entries = outcomes.map(outcome => {
    if ('report' in outcome) return indexEntry(outcome.report)
    const { message, hint, exitCode } = outcome.error
    return { path: outcome.path, error: { message, hint, exitCode } }
  })
  const [only, ...others] = entries
  return only && others.length === 0 ? only : { videos: entries }
}

function exitCode(outcomes: IndexOutcome[]): number {
  const codes: number[] = outcomes.map(outcome =>
    'error' in outcome ? outcome.error.exitCode : isPartial(outcome.report.coverage) ? exitCodes.partial : exitCodes.ok,
  )
  const [first = exitCodes.ok] = codes
  return codes.every(code => code === first) ? first : exitCodes.partial
}
