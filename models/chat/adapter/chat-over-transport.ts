import type { ChatMessage, ContentPart } from '../../../src/core/chat.ts'
import {
  answerTokens,
  type ChatModel,
  type ChatRequest,
  contentText,
  type Purpose,
  type ToolCall,
} from '../../../src/core/chat.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { ServerError } from '../../http/server-error.ts'
import { type ChatDefaults, estimatedUsage, toolsToOffer, withChatDefaults } from '../request.ts'
import type { ChatTransport, TransportReply, TransportRequest } from './chat-transport.ts'
import { type ReplyFormat, readReply } from './read-reply.ts'
import { type SpokenMode, type ToolMode, withNote, withoutTools } from './tool-mode.ts'
import { streamVisibleText } from './visible-text.ts'

// A token is rarely more characters of a prompt than this, and templates write tools in at least half of the characters of their JSON.
const maxCharacters = 5
const minShare = 0.5
const minOffered = 1000 // characters: fewer cannot be told apart from an estimate

// Whether the prompt that the server counted has no room for the tools of the request: its chat template has no place for tools, and drops them
// without a word. Only the first request of a conversation tells: of later ones servers count only what they had not read before.
function dropsTools({ tools = [], messages }: TransportRequest, { usage, calls }: TransportReply): boolean {
  if (tools.length === 0 || calls.length > 0 || !usage || usage.inputTokens === 0) return false
  const offered = JSON.stringify(tools).length
  const characters = messages.reduce((sum, message) => sum + contentText(message.content).length, 0)
  if (offered < minOffered) return false
  const isLater = messages.some(({ role }) => role === 'tool')
  const isMedia = messages.some(message => message.content.some(part => part.type !== 'text'))
  return !isLater && !isMedia && usage.inputTokens < (0.8 * (characters + minShare * offered)) / maxCharacters
}

interface AdapterOptions {
  toolMode: ToolMode
  schemaBy: 'server' | 'prompt' | 'both' // where the schema of a reply goes
  defaults: ChatDefaults
  thinkingTokens?: number // room for thinking on top of the longest answer
  say(line: string): void
}

// Steps too short to think about.
const short: ReadonlySet<Purpose> = new Set(['look', 'check'])

function isShort({ purpose, maxTokens }: ChatRequest): boolean {
  return short.has(purpose) || (purpose === 'write' && maxTokens !== undefined && maxTokens <= answerTokens.phrase)
}

export interface ServerChatModel extends ChatModel {
  toolsVia(): SpokenMode | undefined // how the last tool call came
}

// A chat model over a transport: one contract for tools, thinking and JSON, whatever of it the server supports. A reply
// that is not an answer (empty, only thinking, not of its schema) is asked for once more; after that it is a typed
// error.
export function chatOverTransport(transport: ChatTransport, options: AdapterOptions): ServerChatModel {
  let refusedNative = false
  let schemaBy = options.schemaBy
  let via: SpokenMode | undefined
  let { thinkingTokens = 0 } = options

  const chooseMode = (request: ChatRequest): SpokenMode => {
    const usesTools = Boolean(request.tools?.length) || request.messages.some(message => message.role === 'tool')
    if (!usesTools) return 'native'
    if (options.toolMode === 'auto') return refusedNative ? 'schema' : 'native'
    return options.toolMode
  }

  const ask = async (mode: SpokenMode, request: ChatRequest, signal: AbortSignal, onText?: (piece: string) => void) => {
    const adapt = () => {
      const maxTokens = request.maxTokens && request.maxTokens + thinkingTokens
      const think = isShort(request) && !request.mayThink ? false : undefined
      return forTransport({ ...request, maxTokens, think }, mode, schemaBy)
    }
    let adapted = adapt()
    const visible = onText && streamVisibleText(onText, Boolean(request.tools?.length))
    const pieces = visible && !adapted.steps ? visible.push : undefined
    const usage = { inputTokens: 0, outputTokens: 0 }
    let currentRequest = adapted.request
    for (let tries = 1; ; tries++) {
      const send = (): Promise<TransportReply> =>
        transport.send(currentRequest, signal, tries === 1 ? pieces : undefined).catch(error => {
          if (currentRequest.schema && refusesSchema(error)) {
            if (schemaBy !== 'prompt')
              options.say(
                `${transport.id} does not enforce JSON schemas (${error.details.said}); adding the schema to the prompt.`,
              )
            schemaBy = 'prompt'
            adapted = adapt()
            currentRequest = adapted.request
          } else if (tries === 1 && currentRequest.maxTokens !== request.maxTokens && refusesRoom(error)) {
            if (!error.reason) {
              options.say(
                `${transport.id} gives no longer replies (${error.details.said}); thinking gets no room there.`,
              )
              thinkingTokens = 0
            }
            currentRequest = { ...currentRequest, maxTokens: request.maxTokens }
          } else throw error
          return send()
        })
      const raw = await send()
      if (mode === 'native' && options.toolMode === 'auto' && via !== 'native' && dropsTools(currentRequest, raw))
        throw new DroppedTools()
      const spent =
        raw.usage && raw.usage.inputTokens + raw.usage.outputTokens > 0
          ? raw.usage
          : estimatedUsage(`${transport.id} ${raw.model}`, currentRequest, raw)
      usage.inputTokens += spent.inputTokens
      usage.outputTokens += spent.outputTokens
      const read = readReply(raw, request, adapted)
      if (read.problem === undefined) {
        if (read.calls.length > 0) via = read.via
        visible?.finish(read.text)
        const { text, thinking, stop } = read
        return { text, thinking, calls: withUniqueIds(read.calls, request), stop, usage, model: raw.model }
      }
      const cramped = tries === 1 && read.cramped && currentRequest.maxTokens
      if (tries === 2 || (read.hopeless && !cramped))
        throw new (read.empty && !read.hopeless ? NothingSaid : ServerError)(
          `${transport.id} gave no answer: ${read.problem}.`,
          {
            retry: read.hopeless ? 'no' : 'once',
            reason: 'bad-reply',
            usage,
            hint: read.hint,
          },
        )
      if (read.wrong && currentRequest.schema && schemaBy === 'server') {
        options.say(`${transport.id} does not enforce the JSON schema; adding it to the prompt as well.`)
        schemaBy = 'both'
      }
      if (read.wrong) currentRequest = corrected(currentRequest, raw.text, read.problem)
      if (cramped) currentRequest = { ...currentRequest, maxTokens: 4 * cramped }
    }
  }

  return {
    id: transport.id,
    accepts: transport.accepts,
    atOnce: transport.atOnce,
    thinkingTokens,
    toolsVia: () => via,
    async reply(asked, signal, onText) {
      const request = withChatDefaults(asked, options.defaults)
      refuseUnsupportedParts(transport, request)
      const mode = chooseMode(request)
      try {
        return await ask(mode, request, signal, onText)
      } catch (error) {
        const lost = error instanceof NothingSaid && toolsToOffer(request).length > 0
        const dropped = error instanceof DroppedTools
        if (mode !== 'native' || options.toolMode !== 'auto' || !request.tools?.length) throw error
        if (!lost && !dropped && !refusesTools(error)) throw error
        refusedNative ||= !lost
        const why = dropped
          ? 'drops tools (its prompt tokens leave no room for them)'
          : lost
            ? 'replies with nothing when tools are offered'
            : `does not accept tools (${error.details.said})`
        options.say(`${transport.id} ${why}; asking for the calls as JSON instead.`)
        return ask('schema', request, signal, onText)
      }
    },
    close: async () => transport.close?.(),
  }
}

// Twice empty. Ollama drops a call that it cannot read, without a word.
class NothingSaid extends ServerError {}

// The prompt that was read has no tools in it, so nobody has looked at what came of them.
class DroppedTools extends Error {}

interface Adapted extends ReplyFormat {
  request: TransportRequest
}

function forTransport(request: TransportRequest, mode: SpokenMode, schemaBy: AdapterOptions['schemaBy']): Adapted {
  const spoken =
    mode === 'native' ? { ...request, messages: mediaAfterResults(request.messages) } : withoutTools(request, mode)
  const steps = mode === 'schema' && Boolean(request.tools?.length) && request.toolChoice !== 'none'
  const expected = { steps, held: request.schema?.schema }
  if (!spoken.schema || schemaBy === 'server') return { ...expected, request: spoken }
  const note = `Reply with JSON alone, without any other words, of this JSON schema:\n${JSON.stringify(spoken.schema.schema)}`
  const schema = schemaBy === 'both' ? spoken.schema : undefined
  return { ...expected, request: { ...spoken, schema, messages: withNote(spoken.messages, note) } }
}

// Gives every call an id that no other call of the conversation has, so that a result finds its call.
function withUniqueIds(calls: TransportReply['calls'], request: ChatRequest): ToolCall[] {
  const usedIds = new Set(
    request.messages
      .flatMap(message => (message.role === 'assistant' ? (message.calls ?? []) : []))
      .map(call => call.id),
  )
  return calls.map((call, at) => {
    const id = call.id && !usedIds.has(call.id) ? call.id : `call_${request.messages.length}_${at + 1}`
    usedIds.add(id)
    return { id, name: call.name, arguments: call.arguments }
  })
}

// A server that accepts a schema without enforcing it has not shown it to the model either.
function corrected(request: TransportRequest, reply: string, problem: string): TransportRequest {
  const form = request.schema ? `, of this JSON schema:\n${JSON.stringify(request.schema.schema)}` : '.'
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: [{ type: 'text', text: reply }] },
      {
        role: 'user',
        content: [{ type: 'text', text: `That cannot be used: ${problem}. Reply again, with the JSON alone${form}` }],
      },
    ],
  }
}

function refuseUnsupportedParts(transport: ChatTransport, request: ChatRequest): void {
  for (const contentPart of request.messages.flatMap(message => message.content)) {
    if (transport.accepts.has(contentPart.type)) continue
    throw new UsageError(
      `${transport.id} takes ${[...transport.accepts].join(' and ')}, but was given ${contentPart.type}.`,
      {
        hint: `Use a model that takes ${contentPart.type}; if this one does, add "${contentPart.type}" to its setting "accepts".`,
      },
    )
  }
}

function refusesSchema(error: unknown): error is ServerError {
  if (!(error instanceof ServerError) || error.reason) return false
  const { status = 0, said = '' } = error.details
  return (
    status >= 400 && /response_format|json_schema|json_object|json schema|grammar|guided|structured output/i.test(said)
  )
}

// Whether the longest reply that was asked for is more than the server gives, or than its context has room for.
function refusesRoom(error: unknown): error is ServerError {
  if (!(error instanceof ServerError)) return false
  const { status = 0, said = '' } = error.details
  if (status !== 400 && status !== 422) return false
  return error.reason === 'context-overflow' || /max_(completion_|new_)?tokens|(output|completion) tokens/i.test(said)
}

function refusesTools(error: unknown): error is ServerError {
  if (!(error instanceof ServerError) || error.reason) return false
  const { status = 400, said = '' } = error.details
  return (
    status >= 400 &&
    /(not|n't|unsupported|requires?|unknown|unrecognized|disabled).*tool|tool.*(not|n't|unsupported|requires?|disabled)/i.test(
      said.slice(0, 2000),
    )
  )
}

// Pictures and sound of tool results in the user message after all results of the round, made where none follows: OpenAI's protocol
// allows only words in a result, templates of local models drop what else stands there, and every server takes pictures from a user.
export function mediaAfterResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  let pendingMedia: ContentPart[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const { words, media } = apart(message.content)
      out.push(media.length > 0 ? { ...message, content: words } : message)
      if (media.length > 0) pendingMedia.push({ type: 'text', text: `From the result of ${message.name}:` }, ...media)
      continue
    }
    const isNext = message.role === 'user' && pendingMedia.length > 0
    if (pendingMedia.length > 0 && !isNext) out.push({ role: 'user', content: pendingMedia })
    out.push(isNext ? { ...message, content: [...pendingMedia, ...message.content] } : message)
    pendingMedia = []
  }
  return pendingMedia.length > 0 ? [...out, { role: 'user', content: pendingMedia }] : out
}

// A text directly before a picture is its label and goes with it; the first text of a result stays, as it may be all of its words.
function apart(content: readonly ContentPart[]): { words: ContentPart[]; media: ContentPart[] } {
  const isMedia = (part: ContentPart | undefined) => part !== undefined && part.type !== 'text'
  const goes = (part: ContentPart, at: number) => isMedia(part) || (at > 0 && isMedia(content[at + 1]))
  return { words: content.filter((part, at) => !goes(part, at)), media: content.filter(goes) }
}
