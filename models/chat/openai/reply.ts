import { z } from 'zod'
import type { ChatReply } from '../../../src/core/chat.ts'
import { shallowJson } from '../../../src/core/json.ts'
import { serverEvents } from '../../http/events.ts'
import { checkReply, isErrorReply, parseReply, readReplyText, sample } from '../../http/read-json.ts'
import type { ServerReply } from '../../http/server.ts'
import type { TransportReply } from '../adapter/chat-transport.ts'

const Call = z.object({
  index: z.number().nullish(),
  id: z
    .union([z.string(), z.number()])
    .nullish()
    .transform(id => (id === null || id === undefined ? undefined : String(id))),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
})
const Content = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string().nullish() }))]).nullish()
const Message = z.object({
  content: Content,
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish().catch(undefined), // some put an object there
  refusal: z.string().nullish(),
  tool_calls: z.array(Call).nullish(),
  function_call: z.object({ name: z.string(), arguments: z.unknown().default({}) }).nullish(),
})
const Tokens = z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish()

const choice = { delta: Message.nullish(), message: Message.nullish(), finish_reason: z.string().nullish() }
const common = { model: z.string().nullish(), usage: Tokens, system_fingerprint: z.unknown().optional() }
const Completion = z.object({ ...common, choices: z.array(z.object({ ...choice, message: Message })).min(1) })
const Chunk = z.object({ ...common, choices: z.array(z.object(choice)).nullish() })

interface Completed extends TransportReply {
  byOllama: boolean
}

// A completion in one piece.
export async function readCompletion(reply: ServerReply): Promise<Completed> {
  const value = parseReply(reply, await readReplyText(reply))
  if (isErrorReply(value)) throw reply.refusal(value)
  const collected = new Collected()
  collected.add(checkReply(reply, value, Completion))
  refuseBrokenOff(reply, collected)
  return collected.reply()
}

// A streamed completion. A stream that stops without an end is an error.
export async function readOpenaiStream(reply: ServerReply, onText?: (piece: string) => void): Promise<Completed> {
  const collected = new Collected()
  let events = 0
  let isDone = false
  for await (const value of chunks(reply)) {
    events++
    isDone = value === end
    if (isDone) break
    const piece = collected.add(checkReply(reply, value, Chunk))
    if (piece !== '') onText?.(piece)
  }
  if (events === 0) throw reply.error('answered with an empty stream.', { retry: 'once' })
  if (!collected.finished && !isDone)
    throw reply.error(`cut its reply short after ${sample(collected.text)}.`, { retry: 'yes' })
  refuseBrokenOff(reply, collected)
  return collected.reply()
}

// Ollama ends a reply without a reason when the model has written the same token thirty times.
function refuseBrokenOff(reply: ServerReply, { byOllama, finished, text }: Collected): void {
  if (!byOllama || finished) return
  throw reply.error(`broke its reply off after ${sample(text.slice(-40))}: the model repeats itself.`, {
    retry: 'once',
    hint: 'Use a larger model, or a higher temperature.',
  })
}

interface CallParts {
  id?: string
  name: string
  arguments: string
}

// Joins the pieces of a completion.
class Collected {
  text = ''
  #thinking = ''
  #refusal = ''
  #model = ''
  byOllama = false
  #finish: string | undefined
  #usage: ChatReply['usage'] | undefined
  readonly #calls = new Map<number, CallParts>()

  get finished(): boolean {
    return this.#finish !== undefined
  }

  // Returns the text that this piece adds.
  add({ model, usage, choices, system_fingerprint }: z.infer<typeof Chunk>): string {
    this.byOllama ||= system_fingerprint === 'fp_ollama'
    this.#model ||= model ?? ''
    this.#usage = readUsage(usage) ?? this.#usage
    const [choice] = choices ?? []
    this.#finish = choice?.finish_reason || this.#finish // some write an empty one into every piece
    const message = choice?.delta ?? choice?.message // some send the whole message as one piece of a stream
    if (!message) return ''
    this.#thinking += message.reasoning_content ?? message.reasoning ?? ''
    this.#refusal += message.refusal ?? ''
    const piece = joinContent(message.content)
    this.text += piece
    for (const [at, part] of (message.tool_calls ?? []).entries()) {
      const index = message === choice?.delta ? (part.index ?? at) : at
      this.#addPart(index, part.id, part.function?.name ?? '', part.function?.arguments)
    }
    const { function_call } = message
    if (function_call && message !== choice?.delta)
      this.#addPart(this.#calls.size, undefined, function_call.name, function_call.arguments)
    return piece
  }

  // A call is streamed in parts with one index: its name first, then its arguments. Some servers give every call index
  // 0; a new id with a name then starts another call.
  #addPart(index: number, id: string | undefined, name: string, written: unknown): void {
    const openCall = this.#calls.get(index)
    const another = openCall?.id && id && id !== openCall.id && name
    const piece =
      typeof written === 'string' ? written : written === undefined || written === null ? '' : JSON.stringify(written)
    if (openCall && !another) {
      openCall.name ||= name
      openCall.id ??= id
      openCall.arguments += piece
      return
    }
    const at = another ? Math.max(...this.#calls.keys()) + 1 : index
    this.#calls.set(at, { id, name, arguments: piece })
  }

  reply(): Completed {
    const calls = [...this.#calls].sort(([a], [b]) => a - b).flatMap(([, call]) => (call.name === '' ? [] : [call]))
    return {
      text: this.text || this.#refusal,
      thinking: this.#thinking || undefined,
      calls,
      stop: readStop(this.#finish, this.#refusal),
      usage: this.#usage,
      model: this.#model,
      byOllama: this.byOllama,
    }
  }
}

async function* chunks(reply: ServerReply): AsyncGenerator<unknown> {
  try {
    for await (const { name, data, whole } of serverEvents(reply.body)) {
      for (const piece of splitEvents(data)) {
        if (piece === '[DONE]') {
          yield end
          return
        }
        const value = whole ? parseReply(reply, piece) : maybeCut(reply, piece)
        if (name === 'error' || isErrorReply(value)) throw reply.refusal(value)
        yield value
      }
    }
  } catch (cause) {
    if (cause instanceof TypeError)
      throw reply.error('answered with bytes that are not UTF-8.', { retry: 'once', cause })
    throw cause
  }
}

// The end of a stream.
const end = Symbol('[DONE]')

// Some servers omit the empty line between events, so several arrive as the lines of one.
function splitEvents(data: string): string[] {
  const lines = data.split('\n').map(line => line.trim())
  const whole =
    lines.length > 1 && lines.every(line => line === '[DONE]' || (line.startsWith('{') && line.endsWith('}')))
  return whole ? lines : [data.trim()]
}

function maybeCut(reply: ServerReply, data: string): unknown {
  try {
    return shallowJson(data)
  } catch (cause) {
    throw reply.error(`cut its reply short after ${sample(data)}.`, { retry: 'yes', cause })
  }
}

function joinContent(content: z.infer<typeof Content>): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map(part => (part.type === 'text' || part.type === 'output_text' ? (part.text ?? '') : ''))
    .join('')
}

function readUsage(usage: z.infer<typeof Tokens>): ChatReply['usage'] | undefined {
  if (usage?.prompt_tokens === undefined || usage.prompt_tokens === null) return undefined
  return { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens ?? 0 }
}

function readStop(reason: string | undefined, refusal: string): ChatReply['stop'] {
  if (refusal) return 'refused'
  if (reason === 'length' || reason === 'max_tokens' || reason === 'model_length') return 'length'
  if (reason === 'tool_calls' || reason === 'function_call') return 'calls'
  return reason === 'content_filter' ? 'refused' : 'end'
}
