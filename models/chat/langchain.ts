import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { requestLimits } from '../http/limits.ts'
import { openRetries } from '../http/retry.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport } from './adapter/chat-transport.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import { langchainError } from './langchain/explain-error.ts'
import { loadModel } from './langchain/load.ts'
import { langchainMessages } from './langchain/messages.ts'
import { readLangchainStream, readMessage } from './langchain/reply.ts'
import { accepts, chatDefaults, functionTools } from './request.ts'

const settings = z.strictObject({
  module: z.string().min(1).describe('package or file of your own, for example "@langchain/openai" or "./my-model.ts"'),
  export: z.string().default('default').describe('a class, a function that makes a model, or a model'),
  settings: z.record(z.string(), z.unknown()).default({}).describe('what the class or function is given'),
  fromEnvironment: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'settings that hold secrets, by the environment variable each comes from, as {"apiKey": "OPENAI_API_KEY"}',
    ),
  accepts,
  ...chatDefaults,
  toolMode: ToolMode.default('auto').describe('how tools are offered: native, schema, text, or auto'),
  limits: requestLimits,
})
type LangchainSettings = z.infer<typeof settings>

// Any LangChain chat model, from a package that the user has installed. Uses only what every such model has.
const langchain: Backend<ChatModel, LangchainSettings> = {
  summary: 'Any LangChain chat model, from a package of your own',
  version: '1',
  reaches: 'network',
  settings,
  needs: chosen =>
    Object.values(chosen.fromEnvironment).map(name => ({
      name: `a value in the environment variable ${name}`,
      met: async host => Boolean(host.environment[name]?.trim()),
      mend: `export ${name}=VALUE`,
    })),
  async open(chosen, host) {
    const model = await loadModel(chosen, host)
    const id = `chat/langchain/${model.model ?? model.modelName ?? chosen.export}`
    const retries = openRetries({
      name: id,
      server: `${chosen.module} (${chosen.export})`,
      limits: chosen.limits,
      host,
    })
    const secrets = Object.values(chosen.fromEnvironment).flatMap(name => host.environment[name]?.trim() ?? [])
    const transport: ChatTransport = {
      id,
      accepts: new Set(chosen.accepts.filter(one => one !== 'video')), // its messages have no such part
      send: (request, signal, onText) =>
        retries.run(signal, async attempt => {
          const tools = functionTools(request)
          try {
            const bound = tools.length > 0 ? model.bindTools?.(tools) : model
            if (!bound) throw new Error('this model does not support tools: it has no bindTools')
            const messages = langchainMessages(request.messages)
            if (!onText || attempt.number > 1 || !bound.stream)
              return readMessage(await bound.invoke(messages, { signal: attempt.signal }), id)
            return await readLangchainStream(await bound.stream(messages, { signal: attempt.signal }), id, onText)
          } catch (error) {
            throw langchainError(id, error, secrets)
          }
        }),
    }
    return chatOverTransport(transport, {
      toolMode: chosen.toolMode,
      schemaBy: 'prompt',
      defaults: chosen,
      say: line => host.say(line),
    })
  },
}

export default langchain
