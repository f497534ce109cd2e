import type { AbortableAsyncIterator, ChatResponse, Message, Ollama, ChatRequest as OllamaRequest } from 'ollama'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ChatMessage, ChatModel, ChatRequest, Modality } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { explainReplyIssue } from '../explain-issue.ts'
import { isMissingModel, ollamaServer, ollamaSettings, openOllama } from '../http/ollama.ts'
import { ServerError } from '../http/server-error.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport, TransportRequest } from './adapter/chat-transport.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import { readOllamaStream } from './ollama/reply.ts'
import { chatDefaults, functionTools, joinText, thinkingTokens, usualThinking } from './request.ts'

const settings = z.strictObject({
  ...ollamaSettings,
  ...chatDefaults,
  thinkingTokens,
  toolMode: ToolMode.default('auto').describe('how tools are offered: native, schema, text, or auto'),
  think: z
    .union([z.boolean(), z.enum(['low', 'medium', 'high'])])
    .optional()
    .describe('think before each reply, or not; without it, only short steps ask not to; only for models that can'),
  contextTokens: z.number().int().positive().default(16_384).describe('context length that the model is loaded with'),
})
type OllamaChatSettings = z.infer<typeof settings>

// A model that Ollama runs. Its capabilities are queried when it is opened.
const ollama: Backend<ChatModel, OllamaChatSettings> = {
  summary: 'A model that Ollama runs on this machine or another',
  version: '1',
  reaches: 'network',
  server: ollamaServer,
  settings,
  thinkingTokens: ({ thinkingTokens = usualThinking }) => thinkingTokens,
  async open(chosen, host) {
    const id = `chat/ollama/${chosen.model}`
    const { server, ask } = openOllama('chat/ollama', chosen, host)
    const can = await ask(host.signal, client => readCapabilities(client, chosen.model))
    if (!can) host.say(`${id}: the server does not tell what this model can take; it is given whatever is asked.`)
    if (chosen.think && can?.thinking === 'no')
      throw new UsageError(`${id} cannot think, but the setting "think" asks for it.`, {
        hint: 'Take "think" out, or use a model that "ollama show" lists with thinking.',
      })
    let atOnce: OllamaBodySettings['think'] = can?.thinking === 'no' ? undefined : notThinking(chosen.model)
    let checksSchemas = can?.thinking === 'yes'
    const post = async (client: Ollama, request: TransportRequest): Promise<AbortableAsyncIterator<ChatResponse>> => {
      const asks = request.think === false && chosen.think === undefined && atOnce !== undefined
      const think = asks ? atOnce : can?.thinking === 'no' ? undefined : chosen.think
      if (checksSchemas && think === false && request.schema) {
        checksSchemas = false
        const warning = await schemaWarning(client)
        if (warning) host.say(`${id}: ${warning}`)
      }
      try {
        return await client.chat({ ...ollamaBody(request, { ...chosen, think }), stream: true })
      } catch (error) {
        if (!asks || !refusesThink(error)) throw error
        if (atOnce !== undefined) host.say(`${id} takes no "think" (${error.details.said}); it is asked without.`)
        atOnce = undefined
        return post(client, request)
      }
    }
    const transport: ChatTransport = {
      id,
      accepts: new Set<Modality>(can && !can.vision ? ['text'] : ['text', 'image']),
      atOnce: chosen.limits.concurrency,
      close: () => server.close(),
      send: (request, signal, onText) =>
        ask(signal, async (client, attempt) => {
          const pieces = await post(client, request)
          return readOllamaStream(
            pieces,
            { id, contextTokens: chosen.contextTokens, request },
            attempt === 1 ? onText : undefined,
          )
        }),
    }
    const toolMode = chosen.toolMode === 'auto' && can?.tools === 'no' ? 'schema' : chosen.toolMode
    if (toolMode !== chosen.toolMode) host.say(`${id} does not call tools; asking for the calls as JSON instead.`)
    return chatOverTransport(transport, {
      toolMode,
      schemaBy: 'server',
      defaults: chosen,
      thinkingTokens: chosen.thinkingTokens ?? (can?.thinking === 'no' ? 0 : usualThinking),
      say: line => host.say(line),
    })
  },
}

export default ollama

// gpt-oss takes only levels.
function notThinking(model: string): OllamaBodySettings['think'] {
  return /gpt-oss/i.test(model) ? 'low' : false
}

function refusesThink(error: unknown): error is ServerError {
  return error instanceof ServerError && !error.reason && /\bthink/i.test(error.details.said ?? '')
}

const since = [0, 31, 2]

// Before 0.31.2 Ollama ignores the JSON schema of a request whose model can think and is told not to (ollama#14645).
async function schemaWarning(client: Ollama): Promise<string | undefined> {
  const version = await readVersion(client)
  if (!version || !isOlder(version)) return undefined
  return `Ollama ${version} does not hold a reply to a JSON schema where the model is told not to think; replies may have to be asked for again. Update it to ${since.join('.')} or newer: run its installer again, or "docker pull ollama/ollama".`
}

async function readVersion(client: Ollama): Promise<string | undefined> {
  try {
    return (await client.version()).version
  } catch (error) {
    if (error instanceof ServerError && error.details.status === 404) return undefined // another server of the protocol
    throw error
  }
}

function isOlder(version: string): boolean {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!parts) return false
  const at = parts.findIndex((part, i) => part !== since[i])
  return at >= 0 && parts[at]! < since[at]!
}

type Support = 'yes' | 'no' | 'unknown'

interface Capabilities {
  vision: boolean
  thinking: Support
  tools: Support
}

const ShowReply = z
  .object({
    capabilities: z.array(z.string()).nullish(),
    projector_info: z.unknown().optional(),
    details: z.object({ families: z.array(z.string()).nullish() }).nullish(),
  })
  .optional()

// Capabilities of a model. Ollama before 0.6.4 does not list them; a projector then indicates vision. Undefined for
// other servers of the protocol, which have no such request.
async function readCapabilities(client: Ollama, model: string): Promise<Capabilities | undefined> {
  const result = ShowReply.safeParse(await shownBy(client, model))
  if (!result.success)
    throw new ServerError(
      `chat/ollama: what was told of ${model} has an unknown form (${explainReplyIssue(result.error, 'the reply')}).`,
      { retry: 'once', hint: 'Is it Ollama that listens there? Check the URL.' },
    )
  if (result.data === undefined) return undefined
  const details = result.data
  const list = details.capabilities
  if (list) {
    return {
      vision: list.includes('vision'),
      thinking: list.includes('thinking') ? 'yes' : 'no',
      tools: list.includes('tools') ? 'yes' : 'no',
    }
  }
  const families = details.details?.families ?? []
  const vision =
    details.projector_info !== undefined || families.some(family => family === 'clip' || family === 'mllama')
  return { vision, thinking: 'unknown', tools: 'unknown' }
}

async function shownBy(client: Ollama, model: string): Promise<unknown> {
  try {
    return await client.show({ model })
  } catch (error) {
    if (error instanceof ServerError && error.details.status === 404 && !isMissingModel(error.details.said))
      return undefined
    throw error
  }
}

interface OllamaBodySettings {
  model: string
  contextTokens: number
  keepAlive?: string | number
  think?: boolean | 'low' | 'medium' | 'high'
}

// The body of /api/chat. With "truncate" and "shift" off Ollama refuses a prompt that is too long; otherwise it
// silently drops the oldest messages.
function ollamaBody(
  request: ChatRequest,
  settings: OllamaBodySettings,
): OllamaRequest & { truncate: false; shift: false } {
  const tools = functionTools(request)
  return {
    model: settings.model,
    messages: request.messages.map(ollamaMessage),
    truncate: false,
    shift: false,
    ...(tools.length > 0 && { tools }),
    ...(request.schema && { format: request.schema.schema }),
    ...(settings.think !== undefined && { think: settings.think }),
    ...(settings.keepAlive !== undefined && { keep_alive: settings.keepAlive }),
    options: {
      num_ctx: settings.contextTokens,
      ...(request.maxTokens !== undefined && { num_predict: request.maxTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.seed !== undefined && { seed: request.seed }),
    },
  }
}

function ollamaMessage(message: ChatMessage): Message {
  const images = message.content.flatMap(part =>
    part.type === 'image' ? [Buffer.from(part.jpeg).toString('base64')] : [],
  )
  const calls = message.role === 'assistant' ? message.calls : undefined
  return {
    role: message.role,
    content: joinText(message.content),
    ...(images.length > 0 && { images }),
    ...(calls?.length && {
      tool_calls: calls.map(call => ({ function: { name: call.name, arguments: asObject(call.arguments) } })),
    }),
    ...(message.role === 'tool' && { tool_name: message.name }),
  }
}

// Ollama accepts only objects; arguments that could not be parsed go back to the model under "unreadable".
function asObject(value: unknown): Record<string, unknown> {
  if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  return value === undefined || value === null ? {} : { unreadable: value }
}
