import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ChatMessage, ChatModel, ChatReply } from '../../src/core/chat.ts'
import { errorText, LongtakeError } from '../../src/core/errors.ts'
import { explainReplyIssue } from '../explain-issue.ts'
import { requestLimits } from '../http/limits.ts'
import { explainOpenaiError } from '../http/openai.ts'
import { openRetries } from '../http/retry.ts'
import { ServerError, type ServerErrorDetails } from '../http/server-error.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport, TransportReply } from './adapter/chat-transport.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import { loadModel } from './langchain/load.ts'
import { openaiContent } from './openai/request.ts'
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

// Messages as plain objects, which LangChain accepts like its own classes, with content in OpenAI's form.
function langchainMessages(messages: readonly ChatMessage[]): object[] {
  return messages.map(message => {
    const content = openaiContent(message.content)
    if (message.role === 'tool') return { type: 'tool', tool_call_id: message.call, name: message.name, content }
    if (message.role !== 'assistant') return { type: message.role === 'user' ? 'human' : 'system', content }
    const tool_calls = message.calls?.map(call => ({
      type: 'tool_call',
      id: call.id,
      name: call.name,
      args: call.arguments ?? {},
    }))
    return { type: 'ai', content, ...(tool_calls?.length && { tool_calls }) }
  })
}

// Turns an error of the user's package into a ServerError. Clients of providers add a status if a server replied.
function langchainError(id: string, error: unknown, secrets: readonly string[]): Error {
  if (error instanceof LongtakeError) return error
  const clean = (text: string) => secrets.reduce((words, secret) => words.replaceAll(secret, '[key]'), text)
  const message = clean(errorText(error)).replace(/\s+/g, ' ').slice(0, 500)
  const { status, status_code, code, cause } = error as {
    status?: number
    status_code?: number
    code?: unknown
    cause?: unknown
  }
  const answered = status ?? status_code
  const nobody = /ECONNREFUSED|ENOTFOUND|fetch failed|Connection error/i.test(
    `${message} ${errorText(cause)} ${String(code)}`,
  )
  const details: ServerErrorDetails = {
    retry: nobody ? 'once' : answered === undefined || answered === 429 || answered >= 500 ? 'yes' : 'no',
    unhealthy: nobody || (answered ?? 0) >= 500,
    cause: error,
    status: answered,
    said: message,
    hint: nobody
      ? 'Is the server of this model running? Check its address in "settings".'
      : 'The message is from the package of the model.',
    ...((isBug(error) || /does not support tools/.test(message)) && !nobody && { retry: 'no' }),
    ...explainOpenaiError(answered ?? 400, message, String(code ?? '')),
  }
  return new ServerError(`${id} failed: ${message}${/[.!?]$/.test(message) ? '' : '.'}`, details)
}

function isBug(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some(kind => error instanceof kind)
}

const Block = z.looseObject({ type: z.string().nullish(), text: z.string().nullish() })
const Message = z.object({
  content: z.union([z.string(), z.array(z.union([z.string(), Block]))]),
  tool_calls: z.array(z.object({ id: z.string().nullish(), name: z.string(), args: z.unknown().optional() })).nullish(),
  invalid_tool_calls: z
    .array(z.object({ id: z.string().nullish(), name: z.string().nullish(), args: z.unknown().optional() }))
    .nullish(),
  usage_metadata: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
  response_metadata: z.record(z.string(), z.unknown()).nullish(),
  additional_kwargs: z.record(z.string(), z.unknown()).nullish(),
})

// Reads a message in the forms that different packages give it.
export function readMessage(value: unknown, id: string): TransportReply {
  const result = Message.safeParse(value)
  if (!result.success)
    throw new ServerError(`${id} answered in an unknown form (${explainReplyIssue(result.error, 'the reply')}).`, {
      retry: 'once',
    })
  const { content, tool_calls, invalid_tool_calls, usage_metadata, response_metadata, additional_kwargs } = result.data
  const blocks = typeof content === 'string' ? [content] : content
  const words = blocks.map(block =>
    typeof block === 'string' ? block : block.type === 'text' ? (block.text ?? '') : '',
  )
  const invalid = (invalid_tool_calls ?? []).flatMap(call => (call.name ? [{ ...call, name: call.name }] : []))
  return {
    text: words.join(''),
    thinking: joinThinking(blocks) ?? asString(additional_kwargs?.reasoning_content),
    calls: [...(tool_calls ?? []), ...invalid].map(call => ({
      id: call.id ?? undefined,
      name: call.name,
      arguments: call.args,
    })),
    stop: readStop(response_metadata ?? {}),
    usage: usage_metadata
      ? { inputTokens: usage_metadata.input_tokens, outputTokens: usage_metadata.output_tokens }
      : undefined,
    model: asString(response_metadata?.model_name) ?? asString(response_metadata?.model) ?? '',
  }
}

// Message chunks have their own concat.
async function readLangchainStream(
  pieces: AsyncIterable<unknown>,
  id: string,
  onText: (piece: string) => void,
): Promise<TransportReply> {
  let whole: { concat?(piece: unknown): unknown } | undefined
  for await (const piece of pieces) {
    const { text } = readMessage(piece, id)
    if (text !== '') onText(text)
    whole = (whole?.concat ? whole.concat(piece) : piece) as typeof whole
  }
  if (!whole) throw new ServerError(`${id} answered with an empty stream.`, { retry: 'once' })
  return readMessage(whole, id)
}

function joinThinking(blocks: (string | z.infer<typeof Block>)[]): string | undefined {
  const thoughts = blocks.flatMap(block => {
    if (typeof block === 'string' || (block.type !== 'thinking' && block.type !== 'reasoning')) return []
    return [asString(block.thinking) ?? asString(block.reasoning) ?? '']
  })
  return thoughts.join('') || undefined
}

function readStop(metadata: Record<string, unknown>): ChatReply['stop'] {
  const reason = String(metadata.finish_reason ?? metadata.stop_reason ?? metadata.done_reason ?? '').toLowerCase()
  if (/length|max_tokens/.test(reason)) return 'length'
  if (/content_filter|refusal|safety/.test(reason)) return 'refused'
  return 'end'
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
