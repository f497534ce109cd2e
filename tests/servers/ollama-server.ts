import { z } from 'zod'
import { type Answer, type FaultServer, type Seen, startFaultServer } from './fault-server.ts'
import { cutBytes, cutText, seeded } from './pieces.ts'
import { type Line, openScript, type Script, vectorOf } from './script.ts'

export interface OllamaServer extends FaultServer {
  script: Script
  complaints: string[]
}

export interface OllamaServerOptions {
  models?: Record<string, string[]> // name to capabilities
  version?: string
  withoutShow?: boolean // as servers that only speak Ollama's protocol
  contextTokens?: number
  overflow?: 'error' | 'cut' // older servers shorten a prompt that is too long and say nothing
  seed?: number
  dimensions?: number
}

const Call = z.strictObject({
  function: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
})
const Message = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.string(),
    images: z.array(z.string().startsWith('/9j/')).optional(),
    tool_calls: z.array(Call).optional(),
    tool_name: z.string().optional(),
  })
  .refine(message => !message.images || message.role === 'user', 'templates read pictures of users alone')
const Chat = z.strictObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  stream: z.boolean(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
      }),
    )
    .optional(),
  format: z.union([z.literal('json'), z.looseObject({})]).optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  keep_alive: z.union([z.string(), z.number()]).optional(),
  truncate: z.boolean().optional(),
  shift: z.boolean().optional(),
  options: z
    .strictObject({
      num_ctx: z.number().optional(),
      num_predict: z.number().optional(),
      temperature: z.number().optional(),
      seed: z.number().optional(),
    })
    .optional(),
})
const Embed = z.strictObject({
  model: z.string(),
  input: z.array(z.string()).min(1),
  keep_alive: z.union([z.string(), z.number()]).optional(),
  dimensions: z.number().optional(),
})

// A server of Ollama's protocol that plays a script, checks what it is sent and misbehaves when told to.
export async function startOllamaServer(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const { models = { 'qwen3:4b': ['completion', 'tools', 'thinking', 'vision'] }, dimensions = 8 } = options
  const script = openScript()
  const complaints: string[] = []
  const random = seeded(options.seed ?? 1)

  const refuse = (status: number, error: string) => {
    complaints.push(error)
    return json(status, { error })
  }
  const answer = (seen: Seen): Answer => {
    if (seen.path === '/api/pull') return pulled((seen.body as { name: string }).name, models, random)
    if (seen.path === '/api/tags')
      return json(200, {
        models: Object.keys(models).map(name => ({ name, model: name, size: 1, digest: `sha256:${name}` })),
      })
    if (seen.path === '/api/version') return json(200, { version: options.version ?? '0.99.0' })
    if (seen.path === '/api/show' && options.withoutShow) return json(404, { error: 'not found' })
    const { model } = (seen.body ?? {}) as { model?: string }
    if (!model || !models[model]) return refuse(404, `model '${model}' not found`)
    if (seen.path === '/api/show')
      return json(200, { capabilities: models[model], details: { family: 'test' }, model_info: {} })
    if (seen.path === '/api/embed') {
      const request = Embed.safeParse(seen.body)
      if (!request.success) return refuse(400, issues(request.error))
      const line = script.take()
      return json(200, {
        model,
        embeddings:
          line.vectors ?? request.data.input.map(text => vectorOf(text, request.data.dimensions ?? dimensions)),
        prompt_eval_count: 3,
      })
    }
    if (seen.path !== '/api/chat')
      return { status: 404, type: 'text/plain', pieces: [Buffer.from('404 page not found')] }
    const request = Chat.safeParse(seen.body)
    if (!request.success) return refuse(400, issues(request.error))
    return chat(request.data, models[model], script.take())
  }

  const chat = (request: z.infer<typeof Chat>, capabilities: string[], line: Line): Answer => {
    if (request.tools && !capabilities.includes('tools'))
      return refuse(400, `registry.ollama.ai/library/${request.model} does not support tools`)
    if (request.think && !capabilities.includes('thinking'))
      return refuse(400, `"${request.model}" does not support thinking`)
    if (line.error) return json(line.error.status, line.error.body)
    let asked = Math.ceil(request.messages.map(message => message.content).join('').length / 4)
    const most = options.contextTokens ?? request.options?.num_ctx ?? 4096
    if (asked > most) {
      if (options.overflow !== 'cut' && request.truncate === false)
        return json(400, { error: 'the input length exceeds the context length' })
      asked = most - 1
    }
    return replied(request, line, asked)
  }

  const replied = (request: z.infer<typeof Chat>, line: Line, asked: number): Answer => {
    const common = { model: request.model, created_at: '2026-01-01T00:00:00Z' }
    const usage =
      line.usage === 'none'
        ? {}
        : { prompt_eval_count: line.usage?.input ?? asked, eval_count: line.usage?.output ?? 7 }
    const end = { done: true, done_reason: line.finish === 'length' ? 'length' : 'stop', total_duration: 1, ...usage }
    const calls = line.calls?.map(call => ({ function: call }))
    if (!request.stream) {
      const message = { role: 'assistant', content: line.text ?? '', thinking: line.thinking, tool_calls: calls }
      return json(200, { ...common, message, ...end })
    }
    const said = (message: object) => ({
      ...common,
      message: { role: 'assistant', content: '', ...message },
      done: false,
    })
    const values = [
      ...cutText(line.thinking ?? '', random).map(thinking => said({ thinking })),
      ...cutText(line.text ?? '', random).map(content => said({ content })),
      ...(calls ? [said({ tool_calls: calls })] : []),
      ...(line.cutStream ? [] : [{ ...common, message: { role: 'assistant', content: '' }, ...end }]),
    ]
    const bytes = Buffer.from(values.map(value => `${JSON.stringify(value)}\n`).join(''))
    return { status: 200, type: 'application/x-ndjson', pieces: cutBytes(bytes, random) }
  }

  const server = await startFaultServer(answer)
  return { ...server, script, complaints }
}

// A download in two steps; afterwards the model is there. Names that begin with "no-" are not in the library.
function pulled(name: string, models: Record<string, string[]>, random: () => number): Answer {
  const missing = name.startsWith('no-')
  if (!missing) models[name] = ['completion', 'tools']
  const steps = missing
    ? [{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }]
    : [
        { status: 'pulling manifest' },
        { status: 'pulling 1a2b', digest: 'sha256:1a2b', total: 100 },
        { status: 'pulling 1a2b', digest: 'sha256:1a2b', total: 100, completed: 60 },
        { status: 'pulling 1a2b', digest: 'sha256:1a2b', total: 100, completed: 100 },
        { status: 'success' },
      ]
  const bytes = Buffer.from(steps.map(step => `${JSON.stringify(step)}\n`).join(''))
  return { status: 200, type: 'application/x-ndjson', pieces: cutBytes(bytes, random) }
}

function issues(error: z.ZodError): string {
  return `bad request: ${error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', pieces: [Buffer.from(JSON.stringify(value))] }
}
