import { isDeepStrictEqual } from 'node:util'
import { linkSignals } from '../../core/basics/signals.ts'
import type { AskOptions, AskReport } from '../../core/runtime.ts'
import { replayCalls } from '../../store/call-log/replay.ts'
import { readRunRecord } from '../../store/run/run-folder.ts'
import type { RuntimeParts, WatchedOptions } from '../context.ts'
import { openAgent } from './open-agent.ts'
import { buildReport, lastState } from './start-run.ts'
import { openStoppedRun, readStoppedRun } from './stopped-run.ts'

interface Replayed {
  report: AskReport
  same: boolean // as the run had it, to the byte; otherwise the code has changed since
}

// Runs a question again on what its models and tools said when it was recorded. Nothing is asked, and no folder is made.
// Where all comes out as it was, the recorded report itself is given back: how long things took is that of then.
export async function replayRun(
  runtime: RuntimeParts,
  run: string,
  { watch, signal }: WatchedOptions<AskOptions>,
): Promise<Replayed> {
  const { home } = runtime.options
  const recorded = await readStoppedRun(home, run)
  const { folder, summary } = await readRunRecord(home, recorded.id)
  const calls = await replayCalls(`${folder}/calls`)
  const replaying = { ...runtime, models: runtime.models.replaying(calls) }
  const begun = await lastState(folder)
  const opened = await openStoppedRun(replaying, recorded, { watch, signal })
  const link = linkSignals(signal, calls.missed)
  const options = { watch, signal: link.signal, session: recorded.session, budget: { seconds: 86_400 } }
  const context = { ...opened, options }
  try {
    const agent = await openAgent(context, calls)
    const { question, spent } = context
    const { turns, permits } = begun ?? {}
    const state = await agent({ question: begun?.question ?? question, turns, permits, spent, watch })
    const miss = calls.miss()
    if (miss) throw miss
    const report = buildReport(context, state, folder)
    const { status: _, state: __, ...before } = (summary ?? {}) as AskReport & { status?: string; state?: string }
    const then = { ...before, run: folder }
    const same = isDeepStrictEqual(timeless(report), timeless(then))
    return same ? { report: then, same } : { report, same }
  } catch (error) {
    throw calls.miss() ?? error
  } finally {
    link.clear()
    await opened.index.close()
  }
}

// Everything but how long it took.
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, item) => (name === 'seconds' ? undefined : item)))
}
