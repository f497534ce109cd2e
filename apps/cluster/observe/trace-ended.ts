import type { Sql } from '../data/sql.ts'
import { spansOfRequest, spansOfRun } from './spans.ts'
import { openTraces } from './traces.ts'

// What has ended, as a trace where that is asked for.
export async function traceRequest(endpoint: string | undefined, sql: Sql, request: string): Promise<void> {
  const trace = await openTraces(endpoint)
  if (trace) await trace(request, await spansOfRequest(sql, request))
}

export async function traceRun(endpoint: string | undefined, sql: Sql, run: string): Promise<void> {
  const trace = await openTraces(endpoint)
  if (trace) await trace(run, await spansOfRun(sql, run))
}
