import { z } from 'zod'
import { type Answer, type FaultServer, type Seen, startFaultServer } from './fault-server.ts'
import { cutBytes, cutText, seeded } from './pieces.ts'
import { type Line, openScript, type Script, vectorOf } from './script.ts'

export interface OpenaiServer extends FaultServer {
  script: Script
  complaints: string[] // what was wrong with what was sent
}

export interface OpenaiServerOptions {
  models?: string[]
  key?: string // asked for in each request
  tools?: 'native' | 'refused'
  contextTokens?: number
  seed?: number
  dimensions?: number
}

const Part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({
      url: z.string().startsWith('data:image/jpeg;base64,/9j/'),
      detail: z.enum(['low', 'high']).optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.string().startsWith('UklGR'), format: z.literal('wav') }),
  }),
  // As vLLM has them beside those of OpenAI.
  z.strictObject({
    type: z.literal('video_url'),
    video_url: z.strictObject({ url: z.string().regex(/^(?:data:video\/[\w.-]+;base64,.|file:\/\/\/)/) }),
  }),
  z.strictObject({
    type: z.literal('audio_url'),
    audio_url: z.strictObject({ url: z.string().startsWith('data:audio/wav;base64,UklGR') }),
  }),
])
const ToolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string(),
    arguments: z.string().refine(isJsonObject, 'arguments must be a JSON object in a string'),
  }),
})
const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'user']), content: z.union([z.string(), z.array(Part).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z.array(ToolCall).min(1).optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    name: z.string().optional(),
    content: z.string(),
  }),
])
const Chat = z.strictObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  temperature: z.number().optional(),
  max_tokens: z.number().int().positive().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(['auto', 'none']).optional(),
  response_format: z
    .union([
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          schema: z.looseObject({}),
          strict: z.boolean().optional(),
        }),
      }),
    ])
    .optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']).optional(),
  chat_template_kwargs: z.looseObject({}).optional(),
})
const Embeddings = z.strictObject({
  model: z.string(),
  input: z.array(z.string().min(1)).min(1),
  encoding_format: z.literal('float'),
  dimensions: z.number().optional(),
})

// A server of the OpenAI protocol that plays a script, checks what it is sent and misbehaves when told to.
export async function startOpenaiServer(options: OpenaiServerOptions = {}): Promise<OpenaiServer> {
  const { models = ['test-model'], key, dimensions = 8 } = options
  const script = openScript()
  const complaints: string[] = []
  const random = seeded(options.seed ?? 1)

  const refuse = (status: number, message: string, code: string) => {
    complaints.push(message)
    return json(status, { error: { message, code, type: 'invalid_request_error' } })
  }
  const answer = (seen: Seen): Answer => {
    if (key && seen.headers.authorization !== `Bearer ${key}`)
      return refuse(401, `Incorrect API key provided: ${seen.headers.authorization ?? 'none'}`, 'invalid_api_key')
    const path = seen.path.replace(/^\/v1/, '').split('?')[0]
    if (path === '/models')
      return json(200, { object: 'list', data: models.map(id => ({ id, object: 'model', owned_by: 'vllm' })) })
    if (seen.method !== 'POST' || path === seen.path)
      return refuse(404, `Not Found: ${seen.method} ${seen.path}`, 'not_found')
    if (path === '/audio/transcriptions') return transcription(script.take(), seen)
    const shape = path === '/embeddings' ? Embeddings : Chat
    const request = shape.safeParse(seen.body)
    if (!request.success)
      return refuse(
        400,
        `Bad request: ${request.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
        'bad_request',
      )
    if (!models.includes(request.data.model))
      return refuse(404, `The model \`${request.data.model}\` does not exist.`, 'model_not_found')
    if ('input' in request.data) return embeddings(request.data, script.take(), dimensions)
    const disordered = orderFault(request.data.messages)
    if (disordered) return refuse(400, disordered, 'bad_request')
    if (options.tools === 'refused' && request.data.tools)
      return json(400, {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        code: 400,
      })
    const asked = Math.ceil(JSON.stringify(request.data.messages).length / 4)
    if (options.contextTokens && asked > options.contextTokens)
      return json(400, {
        error: {
          message: `This model's maximum context length is ${options.contextTokens} tokens. However, you requested ${asked} tokens. Please reduce the length of the messages.`,
          type: 'BadRequestError',
          code: 400,
        },
      })
    const line = script.take()
    if (line.error) return json(line.error.status, line.error.body)
    return request.data.stream ? streamed(line, request.data.model, random) : completed(line, request.data.model)
  }
  const server = await startFaultServer(answer)
  return { ...server, url: `${server.url}/v1`, script, complaints }
}

// Each tool result must follow the call it answers, as vLLM's chat templates and hosted servers demand.
function orderFault(messages: z.infer<typeof Chat>['messages']): string | undefined {
  let awaited = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!awaited.delete(message.tool_call_id)) return `tool_call_id ${message.tool_call_id} answers no call`
    } else {
      if (awaited.size > 0) return `calls without a result: ${[...awaited].join(', ')}`
      awaited = new Set(message.role === 'assistant' ? message.tool_calls?.map(call => call.id) : [])
    }
  }
  return awaited.size > 0 ? `calls without a result: ${[...awaited].join(', ')}` : undefined
}

function usageOf(line: Line) {
  if (line.usage === 'none') return undefined
  const { input, output } = line.usage ?? { input: 11, output: 7 }
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function finishOf(line: Line): string {
  const names = { end: 'stop', length: 'length', calls: 'tool_calls', refused: 'content_filter' }
  return names[line.finish ?? (line.calls ? 'calls' : 'end')]
}

function buildCalls(line: Line) {
  return line.calls?.map((call, index) => ({
    index,
    id: `chatcmpl-tool-${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }))
}

function completed(line: Line, model: string): Answer {
  const message = {
    role: 'assistant',
    content: line.text ?? null,
    reasoning_content: line.thinking,
    tool_calls: buildCalls(line),
  }
  return json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason: finishOf(line) }],
    usage: usageOf(line),
  })
}

function streamed(line: Line, model: string, random: () => number): Answer {
  const events: string[] = [': a comment\n\n']
  const send = (value: unknown) => events.push(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
  const delta = (value: object, finish: string | null = null) =>
    send({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      model,
      choices: [{ index: 0, delta: value, finish_reason: finish }],
    })
  delta({ role: 'assistant', content: '' })
  for (const piece of cutText(line.thinking ?? '', random)) delta({ reasoning_content: piece })
  for (const piece of cutText(line.text ?? '', random)) delta({ content: piece })
  for (const call of buildCalls(line) ?? []) {
    const { index, id, type, function: called } = call
    delta({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] })
    for (const piece of cutText(called.arguments, random))
      delta({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  if (!line.cutStream) {
    delta({}, finishOf(line))
    const usage = usageOf(line)
    if (usage) send({ id: 'chatcmpl-1', model, choices: [], usage })
    send('[DONE]')
  }
  return {
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    pieces: cutBytes(Buffer.from(events.join('')), random),
  }
}

function embeddings(request: z.infer<typeof Embeddings>, line: Line, dimensions: number): Answer {
  const data = request.input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vectorOf(text, request.dimensions ?? dimensions),
  }))
  return json(200, {
    object: 'list',
    model: request.model,
    data: line.vectors ?? data.reverse(),
    usage: { prompt_tokens: 3, total_tokens: 3 },
  })
}

function transcription(line: Line, seen: Seen): Answer {
  const type = seen.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data; boundary='))
    return json(400, { error: { message: 'not a form', code: 'bad_request' } })
  return json(200, line.transcript ?? { task: 'transcribe', language: 'en', duration: 1, text: '', segments: [] })
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] }
}

function isJsonObject(text: string): boolean {
  try {
    const value = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
  } catch {
    return false
  }
}
