import { z } from 'zod'
import { Problem, type ProblemCode, statuses } from '../../../src/core/api/problem.ts'
import { type Route, routes } from '../../../src/core/api/routes.ts'

const everywhere: ProblemCode[] = ['usage', 'forbidden', 'fault']

// The contract as OpenAPI 3.1, derived from the table of routes.
export function openApi(version: string, server: string): { openapi: string } & Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'longtake', version, description: 'Ask questions about long local videos. See docs/server.md.' },
    servers: [{ url: server }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem) },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function operation(operationId: string, route: Route): object {
  const { path, summary, open, query, body, status = 200, reply, errors } = route
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const queryParameters = Object.entries(query?.shape ?? {}).map(([name, shape]) => ({
    name,
    in: 'query',
    required: !shape.safeParse(undefined).success,
    schema: ofQuery(shape),
  }))
  const last = { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }
  return {
    operationId,
    summary,
    ...(open && { security: [] }),
    parameters: [...pathParameters, ...queryParameters, ...(reply === 'events' ? [last] : [])],
    ...(body && { requestBody: { required: true, content: body === 'bytes' ? bytes : json(body) } }),
    responses: {
      [status]: { description: 'What was asked for', content: describeContent(reply) },
      ...problems(route, errors),
      431: { description: 'The address and the headers are larger than 16 KiB; the reply has no body' },
    },
  }
}

function describeContent(reply: Route['reply']): object {
  if (reply === 'bytes') return bytes
  if (reply === 'events') return { 'text/event-stream': { schema: { type: 'string' } } }
  return json(reply)
}

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

function json(shape: z.ZodType): object {
  return { 'application/json': { schema: jsonSchema(shape) } }
}

// By status, as several codes may share one.
function problems({ open }: Route, own: readonly ProblemCode[]): Record<string, object> {
  const codes = [...everywhere, ...own, ...(open ? [] : (['token', 'too_many_attempts'] as const))]
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...new Set(codes.map(code => statuses[code]))].map(status => {
      const named = [...new Set(codes)].filter(code => statuses[code] === status)
      return [status, { description: named.join(', '), content }]
    }),
  )
}

// A number of an address is text until it is read: its bounds are those of what is read.
function ofQuery(shape: z.ZodType): object {
  const sent: { type?: string } = jsonSchema(shape)
  return sent.type === 'number' ? jsonSchema(shape, 'output') : sent
}

function jsonSchema(shape: z.ZodType, io: 'input' | 'output' = 'input'): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
}
