import { join } from 'node:path'
import { z } from 'zod'
import { Answer, Question, Step, StopReason } from '../../core/agent.ts'
import { Refused } from '../../core/api/problem.ts'
import type { RunCall, RunDetails, RunState, Trace } from '../../core/api/run.ts'
import { emptyUsage, Usage } from '../../core/chat.ts'
import type { KeptCheckpoint } from '../../core/checkpoints.ts'
import { UsageError } from '../../core/errors.ts'
import { Evidence } from '../../core/evidence.ts'
import type { AskReport } from '../../core/runtime.ts'
import { Coverage } from '../../core/video.ts'
import { jsonOf, readText } from '../../store/read-file.ts'
import { readCheckpoints } from '../../store/run/checkpoints.ts'
import { type RunRecord, readRun } from '../../store/run/run-folder.ts'
import { askDocument } from '../documents.ts'
import { roundsOf, runFilm, stateNumber } from './run-film.ts'

const traceLines = 1000

export async function runRecord(home: string, id: string): Promise<RunRecord> {
  return readRun(home, id).catch(error => {
    if (error instanceof UsageError)
      throw new Refused('unknown', 'There is no run with this name.', 'GET /api/runs lists them.')
    throw error
  })
}

export async function runDetails(home: string, id: string): Promise<z.input<typeof RunDetails>> {
  const record = await runRecord(home, id)
  const { trace, ...run } = record
  const { steps, checkpoints, forked } = await runFilm(home, record)
  const states = checkpoints.map(stateNumber).filter(state => state >= 0)
  const question = Question.safeParse(run.environment.question).data
  const report = reportOf(record)
  return {
    ...run,
    ...(question && { question }),
    ...(forked && { forked }),
    ...(report && { answer: askDocument(report) }),
    ...(question && { usage: ownUsage(checkpoints, forked?.step) ?? report?.usage }),
    events: trace.length,
    steps,
    states: [...new Set(states)].sort((a, b) => a - b),
    rounds: roundsOf(checkpoints),
  }
}

// Of a fork what came after it.
function ownUsage(checkpoints: readonly KeptCheckpoint[], forkedAt?: number): Required<Usage> | undefined {
  const spentAt = (found: KeptCheckpoint | undefined) => Usage.safeParse(found?.checkpoint.channel_values.spent).data
  const all = spentAt(checkpoints.at(-1))
  const before =
    (forkedAt !== undefined && spentAt(checkpoints.find(one => stateNumber(one) === forkedAt))) || emptyUsage
  if (!all) return undefined
  const less = (name: keyof Usage) => Math.max(0, all[name] - before[name])
  return {
    calls: less('calls'),
    inputTokens: less('inputTokens'),
    outputTokens: less('outputTokens'),
    frames: less('frames'),
    seconds: less('seconds'),
    money: less('money'),
  }
}

export async function runTrace(home: string, id: string, after = 0): Promise<z.input<typeof Trace>> {
  const { trace } = await runRecord(home, id)
  return { after, events: trace.slice(after, after + traceLines), more: trace.length > after + traceLines }
}

export async function runState(home: string, id: string, given: string): Promise<z.input<typeof RunState>> {
  const { folder } = await runRecord(home, id)
  const found = (await readCheckpoints(folder)).findLast(one => String(stateNumber(one)) === given)
  if (!found)
    throw new Refused('unknown', 'The run has no state with this number.', 'GET /api/runs/RUN lists its states.')
  const { channel_values: channels, ts } = found.checkpoint
  const own = Object.entries(channels).filter(([name]) => !/^(__|branch:)/.test(name)) // the others are LangGraph's
  return { state: stateNumber(found), made: ts, values: Object.fromEntries(own) }
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
  return reportOf(await readRun(home, id))
}

const Report = z.object({
  video: z.looseObject({ id: z.string(), path: z.string(), duration: z.number() }),
  question: Question,
  answer: Answer,
  evidence: z.array(Evidence),
  coverage: Coverage,
  steps: z.array(Step),
  usage: Usage,
  stop: StopReason,
  profile: z.string(),
})

// None where the summary is that of an evaluation, or of a release whose answers were other ones.
function reportOf({ summary, folder }: RunRecord): AskReport | undefined {
  if (!Report.safeParse(summary).success) return undefined
  const { status: _, state: __, ...report } = summary as AskReport & { status?: string; state?: string }
  return { ...report, run: folder }
}
