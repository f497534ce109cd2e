import { isDeepStrictEqual } from 'node:util'
import { linked } from '../../core/basics/signals.ts'
import type { AskOptions, AskReport } from '../../core/runtime.ts'
import { replayCalls } from '../../store/call-log/replay.ts'
import { readRunRecord } from '../../store/run/run-folder.ts'
import type { OpenedIndex } from '../index/open-index.ts'
import type { Models } from '../models/models.ts'
import { type Answering, type StoppedRun, stoppedRun } from './answer-question.ts'
import type { OpenLibrary } from './library/open-library.ts'
import { lastState } from './recorded-run.ts'
import { askIndex, buildAskReport } from './run-graph.ts'

interface Replayed {
  report: AskReport
  same: boolean // as the run had it, to the byte; otherwise the code has changed since
}

// Runs a question again on what its models and tools said when it was recorded. Nothing is asked, and no folder is made.
// Where all comes out as it was, the recorded report itself is given back: how long things took is that of then.
export async function replayRun(
  { home, config, profile, models }: Answering,
  run: string,
  { watch = () => {}, signal }: AskOptions & { signal: AbortSignal },
  openIndex: (recorded: StoppedRun, models: Models) => Promise<{ index: OpenedIndex; library?: OpenLibrary }>,
): Promise<Replayed> {
  const recorded = await stoppedRun(home, run)
  const { folder, summary } = await readRunRecord(home, recorded.id)
  const calls = await replayCalls(`${folder}/calls`)
  const replaying = models.replaying(calls)
  const { settings } = config
  const begun = await lastState(folder)
  const link = linked(signal, calls.missed)
  const { index, library } = await openIndex(recorded, replaying)
  try {
    const state = await askIndex({
      index,
      models: replaying,
      settings,
      question: begun?.question ?? recorded.question,
      turns: begun?.turns,
      permits: begun?.permits,
      budget: { seconds: 86_400 },
      graph: recorded.graph,
      spent: recorded.spent,
      calls,
      library: library?.parts(calls),
      watch,
      signal: link.signal,
    }).catch(error => {
      throw calls.miss() ?? error
    })
    const miss = calls.miss()
    if (miss) throw miss
    const report = {
      ...buildAskReport(state, index, profile.name, folder),
      ...(recorded.session ? { session: recorded.session } : {}),
    }
    const { status: _, state: __, ...before } = (summary ?? {}) as AskReport & { status?: string; state?: string }
    const then = { ...before, run: folder }
    const same = isDeepStrictEqual(timeless(report), timeless(then))
    return same ? { report: then, same } : { report, same }
  } finally {
    link.clear()
    await index.close()
  }
}

// Everything but how long it took.
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, item) => (name === 'seconds' ? undefined : item)))
}
