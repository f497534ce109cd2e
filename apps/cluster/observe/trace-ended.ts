import { groupBy } from '../../../src/core/basics/group-by.ts'
import { sha256 } from '../../../src/core/json.ts'
import { stageNamed } from '../../../src/core/words/stage-names.ts'
import type { Sql } from '../data/sql.ts'

// What has ended, as a trace where that is asked for.
export const traceRequest = traced(spansOfRequest)
export const traceRun = traced(spansOfRun)

function traced(readSpans: typeof spansOfRun) {
  return async (endpoint: string | undefined, sql: Sql, id: string): Promise<void> => {
    const exportTrace = await openTraces(endpoint)
    if (exportTrace) await exportTrace(id, await readSpans(sql, id))
  }
}

// What is used of @opentelemetry/api, which is not ours to install: whoever wants traces brings it with an SDK that exports them,
// as NODE_OPTIONS="--import @opentelemetry/auto-instrumentations-node/register".
interface Api {
  trace: {
    getTracer(name: string): Tracer
    getTracerProvider(): Provider
    setSpanContext(context: unknown, span: { traceId: string; spanId: string; traceFlags: number }): unknown
    setSpan(context: unknown, span: Span): unknown
  }
  ROOT_CONTEXT: unknown
}
interface Tracer {
  startSpan(name: string, options: { startTime: Date; attributes: EndedSpan['attributes'] }, context: unknown): Span
}
interface Span {
  setStatus(status: { code: number }): unknown
  end(at: Date): void
}
interface Provider {
  getDelegate?(): Provider
  forceFlush?(): Promise<void>
}

type ExportTrace = (id: string, spans: readonly EndedSpan[]) => Promise<void>

const sampled = 1
const statusError = 2

// Sends spans of what has ended, under one trace for each request or run. Undefined, and nothing is loaded, where no address is set or
// the package is not there. `endpoint`: OTEL_EXPORTER_OTLP_ENDPOINT as the shell had it.
export async function openTraces(endpoint: string | undefined, load = loadApi): Promise<ExportTrace | undefined> {
  const api = endpoint ? await load() : undefined
  if (!api) return undefined
  const tracer = api.trace.getTracer('longtake')
  const write = (span: EndedSpan, context: unknown): void => {
    const otelSpan = tracer.startSpan(span.name, { startTime: span.start, attributes: span.attributes }, context)
    for (const child of span.children) write(child, api.trace.setSpan(context, otelSpan))
    if (span.failed) otelSpan.setStatus({ code: statusError })
    otelSpan.end(span.end)
  }
  return async (id, spans) => {
    const traceId = hashTraceId(id)
    const root = { traceId, spanId: hex(`root ${traceId}`, 16), traceFlags: sampled }
    const context = api.trace.setSpanContext(api.ROOT_CONTEXT, root)
    for (const span of spans) write(span, context)
    const provider = api.trace.getTracerProvider()
    await (provider.getDelegate?.() ?? provider).forceFlush?.().catch(() => {}) // a collector that is away spoils nothing
  }
}

// The id of a request as it is, so that who has the one finds the other; a hash of any other id.
export function hashTraceId(id: string): string {
  const digits = id.replaceAll('-', '').toLowerCase()
  return /^[\da-f]{32}$/.test(digits) ? digits : hex(id, 32)
}

function hex(text: string, digits: number): string {
  return sha256(text).slice(0, digits)
}

async function loadApi(): Promise<Api | undefined> {
  const name: string = '@opentelemetry/api'
  return import(name).then(
    (api: Api) => api,
    () => undefined,
  )
}

// A piece of work that has ended, and what it was made of. Attributes are ids, names of ours and numbers: no question, no text of a
// video and no name of a file leaves with a trace.
export interface EndedSpan {
  name: string
  start: Date
  end: Date
  attributes: Readonly<Record<string, string | number>>
  failed?: boolean
  children: readonly EndedSpan[]
}

// "index video" > "stage", an attempt each, from the rows of a request that has ended: whatever was killed on the way, the rows know it.
export async function spansOfRequest(sql: Sql, request: string): Promise<EndedSpan[]> {
  const { rows } = await sql.query<AttemptRow>(
    `select want.video, want.state, request.created, coalesce(request.ended, now()) as closed, video.duration,
       attempt.stage, attempt.n, attempt.worker, attempt.queue, attempt.kind, attempt.started, attempt.ended
     from longtake.request
     join longtake.want on want.request = request.id
     left join longtake.video on video.id = want.video
     left join longtake.attempt on attempt.video = want.video and attempt.ended is not null
       and attempt.started >= request.created and attempt.started <= coalesce(request.ended, now())
     where request.id::text = $1 order by want.video, attempt.started`,
    [request],
  )
  return [...groupBy(rows, ({ video }) => video)].map(([video, attempts]) => videoSpan(video, attempts))
}

interface AttemptRow {
  video: string
  state: string
  created: Date
  closed: Date
  duration: number | null
  stage: string | null
  n: number
  worker: string
  queue: string | null
  kind: string | null
  started: Date | null
  ended: Date | null
}

function videoSpan(video: string, rows: readonly AttemptRow[]): EndedSpan {
  const children = rows.flatMap(({ stage, queue, worker, kind, n, started, ended }) => {
    if (!started || !ended) return []
    const attributes = { stage: stageNamed(stage ?? ''), queue: queue ?? '', worker, kind: kind ?? '', attempt: n }
    return [{ name: 'stage', start: started, end: ended, children: [], failed: kind !== 'completed', attributes }]
  })
  const { state = '', created = new Date(0), closed = created, duration } = rows[0] ?? {}
  const start = children[0]?.start ?? created
  const end = children.length > 0 ? latest(children.map(child => child.end)) : closed
  const attributes = { video, state, ...(duration && { media_seconds: duration }) }
  return { name: 'index video', start, end, attributes, failed: state === 'failed', children }
}

const latest = (times: readonly Date[]) => new Date(Math.max(...times.map(time => time.getTime())))

// "bench run" > "ask" > "call", from the answers of a run. A call's row has how long it took and no time of day: calls follow each
// other from the beginning of their question.
export async function spansOfRun(sql: Sql, run: string): Promise<EndedSpan[]> {
  const { rows } = await sql.query<{ line: AnswerLine; worker: string | null; at: Date }>(
    'select line, worker, at from longtake.answer where run = $1 order by at',
    [run],
  )
  const asks = rows.flatMap(({ line, worker, at }) => askSpans(line, worker ?? '', at))
  if (asks.length === 0) return []
  const start = new Date(Math.min(...asks.map(ask => ask.start.getTime())))
  const end = latest(asks.map(ask => ask.end))
  return [{ name: 'bench run', start, end, attributes: { run, answers: rows.length }, children: asks }]
}

// What is read here of a line of samples.jsonl.
interface AnswerLine {
  id: string
  seconds: number
  asks: readonly {
    name: string
    seconds: number
    error?: string
    steps: readonly { tool: string; outcome: string; round: number; seconds: number }[]
  }[]
}

function askSpans(line: AnswerLine, worker: string, at: Date): EndedSpan[] {
  let begins = at.getTime() - line.seconds * 1000
  return line.asks.map(ask => {
    const start = begins
    begins += ask.seconds * 1000
    let next = start
    const children = ask.steps.map(({ tool, outcome, round, seconds }) => {
      const from = next
      next += seconds * 1000
      const failed = outcome === 'failed'
      return { name: 'call', ...between(from, next), attributes: { tool, outcome, round }, failed, children: [] }
    })
    const attributes = { sample: line.id, ask: ask.name, worker }
    return { name: 'ask', ...between(start, begins), attributes, failed: ask.error !== undefined, children }
  })
}

function between(start: number, end: number): Pick<EndedSpan, 'start' | 'end'> {
  return { start: new Date(start), end: new Date(end) }
}
