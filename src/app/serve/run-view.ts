import { join } from 'node:path'
import type { z } from 'zod'
import { Refused } from '../../core/api/problem.ts'
import type { RunCall, RunDetails, RunState, Trace } from '../../core/api/run.ts'
import { UsageError } from '../../core/errors.ts'
import type { AskReport } from '../../core/runtime.ts'
import { jsonOf, readText } from '../../store/read-file.ts'
import { readCheckpoints } from '../../store/run/checkpoints.ts'
import { type RunRecord, readRun } from '../../store/run/run-folder.ts'

const traceLines = 1000

export async function runRecord(home: string, id: string): Promise<RunRecord> {
  return readRun(home, id).catch(error => {
    if (error instanceof UsageError)
      throw new Refused('unknown', 'There is no run with this name.', 'GET /api/runs lists them.')
    throw error
  })
}

export async function runDetails(home: string, id: string): Promise<z.input<typeof RunDetails>> {
  const { trace, folder, ...run } = await runRecord(home, id)
  const states = (await readCheckpoints(folder)).map(stateNumber).filter(state => state >= 0)
  return { ...run, folder, events: trace.length, states: [...new Set(states)].sort((a, b) => a - b) }
}

export async function runTrace(home: string, id: string, after = 0): Promise<z.input<typeof Trace>> {
  const { trace } = await runRecord(home, id)
  return { after, events: trace.slice(after, after + traceLines), more: trace.length > after + traceLines }
}

// State 0 is before the first step, state N after step N, as the events number them.
export async function runState(home: string, id: string, given: string): Promise<z.input<typeof RunState>> {
  const { folder } = await runRecord(home, id)
  const found = (await readCheckpoints(folder)).findLast(one => String(stateNumber(one)) === given)
  if (!found)
    throw new Refused('unknown', 'The run has no state with this number.', 'GET /api/runs/RUN lists its states.')
  const { channel_values: channels, ts } = found.checkpoint
  const own = Object.entries(channels).filter(([name]) => !/^(__|branch:)/.test(name)) // the others are LangGraph's
  return { state: stateNumber(found), made: ts, values: Object.fromEntries(own) }
}

function stateNumber({ metadata }: { metadata: { step: number } }): number {
  return metadata.step - 1
}

export async function runCall(home: string, id: string, call: string): Promise<z.input<typeof RunCall>> {
  const { folder } = await runRecord(home, id)
  const text = /^[0-9a-f]{64}(-\d{1,6})?$/.test(call)
    ? await readText(join(folder, 'calls', `${call}.json`))
    : undefined
  const found = jsonOf(text)
  if (found) return found as z.input<typeof RunCall>
  throw new Refused('unknown', 'The run has recorded no call with this hash.')
}

// The answer that a run ended with, also where a limit ended it.
export async function reportOfRun(home: string, id: string): Promise<AskReport | undefined> {
  const { summary, folder } = await readRun(home, id)
  const { status: _, state: __, ...report } = (summary ?? {}) as AskReport & { status?: string; state?: string }
  return report.answer ? { ...report, run: folder } : undefined
}
