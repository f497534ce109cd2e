import { join } from 'node:path'
import type { z } from 'zod'
import { Refused } from '../../core/api/problem.ts'
import type { RunCall, RunDetails, RunSnapshot, TracePage } from '../../core/api/run.ts'
import { emptyUsage, Usage } from '../../core/chat.ts'
import type { KeptCheckpoint } from '../../core/run/checkpoints.ts'
import { parseStoredJson, readTextFile } from '../../store/read-file.ts'
import { readCheckpoints } from '../../store/run/checkpoints.ts'
import { askDocument } from '../documents.ts'
import { listRounds, runFilm, stateNumber } from './run-film.ts'
import { readRunQuestion, recordedReport, runRecord } from './run-record.ts'

const traceLines = 1000

export async function runDetails(home: string, id: string): Promise<z.input<typeof RunDetails>> {
  const record = await runRecord(home, id)
  const { trace, ...run } = record
  const { steps, checkpoints, forked } = await runFilm(home, record)
  const states = checkpoints.map(stateNumber).filter(state => state >= 0)
  const question = readRunQuestion(record)
  const report = recordedReport(record)
  return {
    ...run,
    ...(question && { question }),
    ...(forked && { forked }),
    ...(report && { answer: askDocument(report) }),
    ...(question && { usage: sumUsage(checkpoints, forked?.step) ?? report?.usage }),
    events: trace.length,
    steps,
    states: [...new Set(states)].sort((a, b) => a - b),
    rounds: listRounds(checkpoints),
  }
}

// What the steps of the run itself took: of a fork what came after it.
export function sumUsage(checkpoints: readonly KeptCheckpoint[], forkedAt?: number): Required<Usage> | undefined {
  const spentAt = (one: KeptCheckpoint | undefined) => Usage.safeParse(one?.checkpoint.channel_values.spent).data
  const all = spentAt(checkpoints.at(-1))
  if (!all || forkedAt === undefined) return all
  const before = spentAt(checkpoints.find(one => stateNumber(one) === forkedAt)) ?? emptyUsage
  const less = Object.entries(all).map(([name, value]) => [name, Math.max(0, value - before[name as keyof Usage])])
  return Object.fromEntries(less)
}

export async function runTrace(home: string, id: string, after = 0): Promise<z.input<typeof TracePage>> {
  const { trace } = await runRecord(home, id)
  return { after, events: trace.slice(after, after + traceLines), more: trace.length > after + traceLines }
}

export async function runState(home: string, id: string, given: string): Promise<z.input<typeof RunSnapshot>> {
  const { folder } = await runRecord(home, id)
  const checkpoint = (await readCheckpoints(folder)).findLast(one => String(stateNumber(one)) === given)
  if (!checkpoint)
    throw new Refused('unknown', 'The run has no state with this number.', 'GET /api/runs/RUN lists its states.')
  const { channel_values: channels, ts } = checkpoint.checkpoint
  const graphChannels = Object.entries(channels).filter(([name]) => !/^(__|branch:)/.test(name)) // the others are LangGraph's
  return { state: stateNumber(checkpoint), made: ts, values: Object.fromEntries(graphChannels) }
}

export async function runCall(home: string, id: string, call: string): Promise<z.input<typeof RunCall>> {
  const { folder } = await runRecord(home, id)
  const text = /^[0-9a-f]{64}(-\d{1,6})?$/.test(call)
    ? await readTextFile(join(folder, 'calls', `${call}.json`), 64e6)
    : undefined
  const recordedCall = parseStoredJson(text)
  if (recordedCall) return recordedCall as z.input<typeof RunCall>
  throw new Refused('unknown', 'The run has recorded no call with this hash.')
}
