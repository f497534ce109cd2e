import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { Refused, toProblem } from '../../../src/core/api/problem.ts'
import { type Handlers, type Route, type RouteName, type RouteRequest, routes } from '../../../src/core/api/routes.ts'
import { firstZodIssue, UsageError } from '../../../src/core/errors.ts'
import { eventStream } from './events.ts'
import { rawBody } from './upload.ts'

const maxBody = 1_000_000 // bytes

export type Serves = { Bindings: HttpBindings }

// Mounts the table: input is parsed by the schemas of its route, what a handler throws becomes a problem. No other path answers.
export function mount(
  app: Hono<Serves>,
  base: string,
  handlers: Handlers,
  checkKey: (authorization?: string) => void,
): void {
  for (const [name, route] of Object.entries<Route>(routes)) {
    app.on(route.method, `${base}${route.path}`, async context => {
      const { req } = context
      if (!route.open) checkKey(req.header('authorization'))
      const leave = new AbortController()
      req.raw.signal.addEventListener('abort', () => leave.abort(), { once: true })
      const query = route.query?.strict().safeParse(onlyOnce(req.queries()))
      if (query && !query.success) throw asUsage(query.error)
      const routeRequest = {
        params: req.param(),
        query: query?.data,
        body: route.body && (await readBody(context, route.body)),
        lastEventId: req.header('last-event-id'),
        signal: leave.signal,
      } as unknown as RouteRequest<RouteName>
      const reply = await (handlers[name as RouteName] as (asked: unknown) => unknown)(routeRequest)
      if (route.reply === 'bytes')
        return context.body(reply as Uint8Array<ArrayBuffer>, 200, { 'content-type': 'application/octet-stream' })
      if (route.reply === 'events') return eventReply(reply as Parameters<typeof eventStream>[0], leave)
      return context.json(reply as object, route.status ?? 200)
    })
  }
}

export function eventReply(events: Parameters<typeof eventStream>[0], leave: AbortController): Response {
  return streamReply(eventStream(events, () => leave.abort()))
}

export function streamReply(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  })
}

export function problemReply(error: unknown): Response {
  const { status, problem } = toProblem(error)
  const again: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {}
  const who: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return Response.json(problem, { status, headers: { ...again, ...who } })
}

// An error that only says that the client has left is not a fault of longtake.
export function isClientGone(error: unknown, { signal }: Pick<Request, 'signal'>): boolean {
  if (!signal.aborted) return false
  const { name, code } = error as { name?: string; code?: string }
  return (
    error === signal.reason || name === 'AbortError' || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
  )
}

function onlyOnce(queries: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, [first = '', ...more]]) => {
      if (more.length > 0) throw new UsageError(`"${name}" is given more than once.`)
      return [name, first]
    }),
  )
}

async function readBody({ req, env }: Context<Serves>, shape: NonNullable<Route['body']>): Promise<unknown> {
  return shape === 'bytes' ? rawBody({ request: req.raw, incoming: env.incoming }) : jsonBody(req.raw, shape)
}

export async function jsonBody<Shape extends z.ZodType>(
  request: Request,
  shape: Shape,
  { hint, max = maxBody }: { hint?: string; max?: number } = {},
): Promise<z.output<Shape>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new UsageError('The body must be JSON.', { hint: 'Send "Content-Type: application/json".' })
  const text = await readBodyText(request, max)
  // Only the files in it may be long: to parse anything else of that size would hold the server.
  if (text.length > maxBody && text.replace(fileInBody, '').length > maxBody) throw tooLarge(maxBody)
  const parsed = shape.safeParse(jsonIn(text))
  if (parsed.success) return parsed.data
  throw asUsage(parsed.error, hint)
}

const fileInBody = /"data:[\w.+/-]{1,100};base64,[\w+/=]*"/g

function tooLarge(max: number): UsageError {
  return new UsageError(`The body must have at most ${max} bytes.`)
}

async function readBodyText(request: Request, max: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of request.body ?? []) {
      size += piece.length
      if (size > max) throw tooLarge(max)
      pieces.push(piece)
    }
  } catch (cause) {
    if (!request.signal.aborted) throw cause
    throw new UsageError('The body ended early.', { cause }) // nobody is there to read it; it is not our fault
  }
  return Buffer.concat(pieces).toString('utf8')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('The body is not JSON.')
  }
}

const longestFault = 500 // characters: a schema names every field that it does not know

function asUsage(error: Parameters<typeof firstZodIssue>[0], hint = 'See GET /api/openapi.json.'): UsageError {
  // A misspelt field is the reason why another one is missing.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? firstZodIssue(error)
  const name = issue.path.join('.').slice(0, longestFault)
  const { message } = issue
  const why = message.length > longestFault ? `${message.slice(0, longestFault)}…` : message
  return new UsageError(`${name === '' ? 'The request' : `"${name}"`}: ${why}.`, { hint })
}

export function notFound(): never {
  throw new Refused('unknown', 'There is nothing at this address.', 'GET /api/openapi.json names what there is.')
}
