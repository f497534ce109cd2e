import { createHash } from 'node:crypto'
import type { EndedSpan } from './spans.ts'

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

export type ExportTrace = (id: string, spans: readonly EndedSpan[]) => Promise<void>

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
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}

async function loadApi(): Promise<Api | undefined> {
  const name: string = '@opentelemetry/api'
  return import(name).then(
    (api: Api) => api,
    () => undefined,
  )
}
