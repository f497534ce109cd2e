import type { z } from 'zod'
import { queryText } from '../../../src/core/api/pages.ts'
import type { Problem } from '../../../src/core/api/problem.ts'
import type { ParamsOf, RouteName, Routes } from '../../../src/core/api/routes.ts'
import { dropToken, token } from './token.ts'

// "GET /videos/:video": how a route is called here. The table itself stays on the server; only its types come along.
type AddressOf<Name extends RouteName> = `${Routes[Name]['method']} ${Routes[Name]['path']}`
export type Address = { [Name in RouteName]: AddressOf<Name> }[RouteName]
type NameOf<To extends Address> = { [Name in RouteName]: To extends AddressOf<Name> ? Name : never }[RouteName]

type Params<To extends Address> =
  ParamsOf<Routes[NameOf<To>]['path']> extends never
    ? { params?: undefined }
    : { params: Record<ParamsOf<Routes[NameOf<To>]['path']>, string> }
type Query<To extends Address> = Routes[NameOf<To>] extends { query: z.ZodType }
  ? { query?: Readonly<Record<string, string | number | undefined>> }
  : { query?: undefined }
type Body<To extends Address> = Routes[NameOf<To>] extends { body: infer Shape extends z.ZodType }
  ? { body: z.input<Shape> }
  : { body?: undefined }
export type RequestTo<To extends Address> = Params<To> & Query<To> & Body<To> & { signal?: AbortSignal }
export type ReplyTo<To extends Address> = Routes[NameOf<To>]['reply'] extends z.ZodType
  ? z.output<Routes[NameOf<To>]['reply']>
  : Uint8Array<ArrayBuffer>

interface AnyAsked {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  signal?: AbortSignal
}

// What the API refused, or why it could not be asked.
export class ApiError extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly retryable: boolean

  constructor({ message, hint, code, retryable }: Problem['error']) {
    super(message)
    this.code = code
    this.hint = hint
    this.retryable = retryable
  }
}

type MayBeLeftOut<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options]

export async function api<To extends Address>(to: To, ...[options]: MayBeLeftOut<RequestTo<To>>): Promise<ReplyTo<To>> {
  const response = await request(to, options ?? {})
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return (isJson ? await response.json() : new Uint8Array(await response.arrayBuffer())) as ReplyTo<To>
}

// The events of a stream as they come, until it ends. One that is to go on after a loss is for EventSource (live.ts).
export async function readEvents<To extends Address>(
  to: To,
  options: RequestTo<To>,
  take: (event: { event?: string; data: unknown }) => void,
): Promise<void> {
  const { body } = await request(to, options)
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const blocks = (rest + read.value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      const data = field('data')
      if (data !== undefined) take({ event: field('event'), data: JSON.parse(data) })
    }
  }
}

async function request(to: Address, { params, query, body, signal }: AnyAsked): Promise<Response> {
  const [method, path = ''] = to.split(' ')
  const used = token.value ?? ''
  const response = await fetch(`/api${filled(path, params ?? {})}${queryText(query ?? {})}`, {
    method,
    signal,
    headers: {
      authorization: `Bearer ${used}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(error => {
    if (signal?.aborted) throw error
    throw new ApiError({
      message: 'The server does not answer.',
      hint: 'Start it again with "longtake serve"; nothing that was done is lost.',
      code: 'offline',
      retryable: true,
    })
  })
  if (response.status === 401) dropToken(used)
  if (!response.ok) throw await refused(response)
  return response
}

async function refused(response: Response): Promise<ApiError> {
  const problem: Problem | undefined = await response.json().catch(() => undefined)
  return new ApiError(
    problem?.error ?? {
      message: `The server replied with status ${response.status}.`,
      code: 'fault',
      retryable: false,
    },
  )
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
