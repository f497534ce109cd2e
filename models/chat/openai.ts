import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ChatModel } from '../../src/core/chat.ts'
import { keyNeed, namingModels, openaiServer, openaiSettings, openOpenai, resolveModel } from '../http/openai.ts'
import type { RequestAttempt, ServerReply } from '../http/server.ts'
import { chatOverTransport } from './adapter/chat-over-transport.ts'
import type { ChatTransport } from './adapter/chat-transport.ts'
import { refuseCutPrompt } from './adapter/cut-prompt.ts'
import { ToolMode } from './adapter/tool-mode.ts'
import { RefusedFields } from './openai/refused-fields.ts'
import { readCompletion, readOpenaiStream } from './openai/reply.ts'
import { openaiBody, videoAddresses } from './openai/request.ts'
import { accepts, chatDefaults, thinkingTokens, usualThinking } from './request.ts'

export const openaiChatSettings = z.strictObject({
  ...openaiSettings,
  ...chatDefaults,
  thinkingTokens,
  model: z.string().min(1).optional().describe('name as the server lists it; without it, the only one it has'),
  accepts,
  files: z
    .boolean()
    .optional()
    .describe('whether the server reads files of this machine: a video then goes as file://, whatever its size'),
  audioAs: z
    .enum(['input_audio', 'audio_url'])
    .optional()
    .describe('the part in which sound is sent: input_audio (default), or audio_url as some servers have it'),
  toolMode: ToolMode.default('auto').describe('how tools are offered: native, schema, text, or auto'),
  schemaMode: z
    .enum(['json_schema', 'json_object', 'prompt'])
    .default('json_schema')
    .describe('how the server is told to hold a reply to a JSON schema'),
  stream: z.boolean().default(true).describe('show the reply while it comes'),
  extra: z
    .record(z.string(), z.unknown())
    .default({})
    .describe(
      'further fields of each request, as {"chat_template_kwargs": {"enable_thinking": false}}; null takes a field out',
    ),
})
type OpenaiChatSettings = z.infer<typeof openaiChatSettings>

// Any server of the OpenAI chat protocol: vLLM, llama.cpp's server, LM Studio, hosted ones.
const openai: Backend<ChatModel, OpenaiChatSettings> = {
  summary: 'Any OpenAI-compatible server: vLLM, llama.cpp, LM Studio, hosted ones',
  version: '1',
  reaches: 'network',
  server: openaiServer,
  settings: openaiChatSettings,
  needs: keyNeed,
  thinkingTokens: ({ thinkingTokens, model }) => thinkingRoom(thinkingTokens, model),
  async open(chosen, host) {
    const server = openOpenai('chat/openai', chosen, host)
    const model = await resolveModel(server, chosen.model, host.signal)
    const id = `chat/openai/${model}`
    const refused = new RefusedFields(line => host.say(`${id}: ${line}`))
    const post = async (asking: RequestAttempt, whole: object): Promise<ServerReply> => {
      const body = refused.without(whole)
      try {
        return await namingModels(asking, model, () => asking.post('chat/completions', body))
      } catch (error) {
        if (refused.learns(error, body)) return post(asking, whole)
        throw error
      }
    }
    let atOnce = notThinking(model)
    let toldOfOllama = false
    const transport: ChatTransport = {
      id,
      accepts: new Set(chosen.accepts),
      atOnce: chosen.limits.concurrency,
      close: () => server.close(),
      send: (request, signal, onText) =>
        server.call(signal, async asking => {
          const stream = chosen.stream && onText !== undefined
          const videos = await videoAddresses(request, chosen.files)
          const body = openaiBody(request, { ...chosen, model, atOnce, videos }, stream)
          const reply = await post(asking, body)
          const whole = ['application/json', 'text/html'].includes(reply.type)
          const streams = reply.type === 'text/event-stream' || (stream && !whole)
          const content = streams
            ? await readOpenaiStream(reply, asking.number === 1 ? onText : undefined)
            : await readCompletion(reply)
          if (request.think === false && content.thinking) atOnce = afterThinking(body, atOnce)
          if (content.byOllama && !toldOfOllama) host.say(`${id}: ${ollamaAnswers}`)
          toldOfOllama ||= content.byOllama
          if (content.byOllama) refuseCutPrompt(id, request, content.usage, 1000, longerContext)
          return content
        }),
    }
    const schemaBy = ({ json_schema: 'server', json_object: 'both', prompt: 'prompt' } as const)[chosen.schemaMode]
    return chatOverTransport(transport, {
      toolMode: chosen.toolMode,
      schemaBy,
      defaults: chosen,
      thinkingTokens: thinkingRoom(chosen.thinkingTokens, model),
      say: line => host.say(line),
    })
  },
}

export default openai

function thinkingRoom(told: number | undefined, model = ''): number {
  return told ?? (mayThink(model) ? usualThinking : 0)
}

const ollamaAnswers =
  'Ollama answers there. Its OpenAI protocol drops pictures for a model without eyes and the start of long prompts; the backend "ollama" does not.'
const longerContext =
  'Ask with less, or use the backend "ollama" with contextTokens, or set OLLAMA_CONTEXT_LENGTH there.'

// What a model does is told by its name: the protocol has no request for it.

// In doubt a model may think before it answers.
function mayThink(model: string): boolean {
  return !/instruct|(^|\/)(gpt-(3\.5|4)|chatgpt-4)/i.test(model) || /think|reason/i.test(model)
}

// The fields that ask a model to answer at once: hosted models that think know an effort, servers of open ones pass a
// word on to the chat template.
function notThinking(model: string): object {
  if (!mayThink(model) || /(^|\/)claude/i.test(model)) return {}
  if (/(^|\/)(gpt-oss|gemini-(3\.[7-9]|[4-9]))/i.test(model)) return { reasoning_effort: 'low' } // they refuse "minimal"
  if (/(^|\/)(gpt-|o\d|gemini-)/i.test(model)) return { reasoning_effort: 'minimal' }
  return { chat_template_kwargs: { enable_thinking: false } }
}

// What to ask with after a reply that thought although this was sent: Ollama and routers know only the effort.
function afterThinking(sent: object, asked: object): object {
  const { chat_template_kwargs: words } = sent as { chat_template_kwargs?: { enable_thinking?: unknown } }
  return words?.enable_thinking === false ? { ...asked, reasoning_effort: 'none' } : asked
}
