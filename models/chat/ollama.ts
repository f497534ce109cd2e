import type { AbortableAsyncIterator, ChatResponse, Ollama } from 'ollama'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ChatModel, Modality } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { ollamaServer, ollamaSettings, openOllama } from '../http/ollama.ts'
import { ServerError } from '../http/server-error.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport, TransportRequest } from './adapter/chat-transport.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import { readCapabilities } from './ollama/capabilities.ts'
import { readOllamaStream } from './ollama/reply.ts'
import { type OllamaBodySettings, ollamaBody } from './ollama/request.ts'
import { schemaWarning } from './ollama/schemas.ts'
import { chatDefaults, thinkingTokens, usualThinking } from './request.ts'

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
