import { z } from 'zod'
import type { ChatReply } from '../../../src/core/chat.ts'
import { shallowJson } from '../../../src/core/json.ts'
import { serverEvents } from '../../http/events.ts'
import { fitting, isErrorReply, parsed, readText, sample } from '../../http/read-json.ts'
import type { Reply } from '../../http/server.ts'
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
const Said = z.object({
  content: Content,
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish().catch(undefined), // some put an object there
  refusal: z.string().nullish(),
  tool_calls: z.array(Call).nullish(),
  function_call: z.object({ name: z.string(), arguments: z.unknown().default({}) }).nullish(),
})
const Tokens = z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish()

const Completion = z.object({
  model: z.string().nullish(),
  choices: z.array(z.object({ message: Said, finish_reason: z.string().nullish() })).min(1),
  usage: Tokens,
})

const Chunk = z.object({
  model: z.string().nullish(),
  choices: z
    .array(z.object({ delta: Said.nullish(), message: Said.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: Tokens,
})

// A completion that came in one piece.
export async function readCompletion(reply: Reply): Promise<TransportReply> {
  const value = parsed(reply, await readText(reply))
  if (isErrorReply(value)) throw reply.refusal(value)
  const { model, choices, usage } = fitting(reply, value, Completion)
  const { message, finish_reason } = choices[0]
  return {
    text: wordsOf(message.content) || message.refusal || '',
    thinking: message.reasoning_content ?? message.reasoning ?? undefined,
    calls: [
      ...(message.tool_calls ?? []).flatMap(call =>
        call.function?.name
          ? [{ id: call.id ?? undefined, name: call.function.name, arguments: call.function.arguments }]
          : [],
      ),
      ...(message.function_call ? [message.function_call] : []),
    ],
    stop: stopOf(finish_reason, message.refusal),
    usage: usageOf(usage),
    model: model ?? '',
  }
}

// A completion that comes in pieces. It counts only when it came to its end: a stream that just stops is a fault.
export async function readStream(reply: Reply, onText?: (piece: string) => void): Promise<TransportReply> {
  const calls = new Map<number, { id?: string; name: string; arguments: string }>()
  let text = ''
  let thinking = ''
  let refusal = ''
  let model = ''
  let finish: string | undefined
  let usage: ChatReply['usage'] | undefined
  let events = 0
  let done = false
  for await (const value of chunks(reply)) {
    events++
    if (value === end) {
      done = true
      break
    }
    const chunk = fitting(reply, value, Chunk)
    model ||= chunk.model ?? ''
    usage = usageOf(chunk.usage) ?? usage
    const choice = chunk.choices?.[0]
    finish = choice?.finish_reason || finish // some write an empty one into every piece
    const delta = choice?.delta ?? choice?.message // some send the whole message as one piece
    if (!delta) continue
    thinking += delta.reasoning_content ?? delta.reasoning ?? ''
    refusal += delta.refusal ?? ''
    const piece = wordsOf(delta.content)
    text += piece
    if (piece !== '') onText?.(piece)
    delta.tool_calls?.forEach((part, at) => {
      addPart(calls, part, part.index ?? at)
    })
  }
  if (events === 0) throw reply.fault('answered with an empty stream.', { retry: 'once' })
  if (finish === undefined && !done) throw reply.fault(`cut its reply short after ${sample(text)}.`, { retry: 'yes' })
  const complete = [...calls.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([, call]) => (call.name === '' ? [] : [call]))
  return {
    text: text || refusal,
    thinking: thinking || undefined,
    calls: complete,
    stop: stopOf(finish, refusal),
    usage,
    model,
  }
}

async function* chunks(reply: Reply): AsyncGenerator<unknown> {
  try {
    for await (const { name, data, whole } of serverEvents(reply.body)) {
      for (const piece of piecesOf(data)) {
        if (piece === '[DONE]') {
          yield end
          return
        }
        const value = whole ? parsed(reply, piece) : maybeCut(reply, piece)
        if (name === 'error' || isErrorReply(value)) throw reply.refusal(value)
        yield value
      }
    }
  } catch (cause) {
    if (cause instanceof TypeError)
      throw reply.fault('answered with bytes that are not UTF-8.', { retry: 'once', cause })
    throw cause
  }
}

// The end of a stream, which says nothing more.
const end = Symbol('[DONE]')

// Some servers leave out the empty line between two pieces, which then come as the lines of one.
function piecesOf(data: string): string[] {
  const lines = data.split('\n').map(line => line.trim())
  const whole =
    lines.length > 1 && lines.every(line => line === '[DONE]' || (line.startsWith('{') && line.endsWith('}')))
  return whole ? lines : [data.trim()]
}

function maybeCut(reply: Reply, data: string): unknown {
  try {
    return shallowJson(data)
  } catch (cause) {
    throw reply.fault(`cut its reply short after ${sample(data)}.`, { retry: 'yes', cause })
  }
}

// A call comes in parts with one index: its name first, then its arguments piece by piece. Some servers count every
// call as 0; a new id with a name then begins another call.
function addPart(
  calls: Map<number, { id?: string; name: string; arguments: string }>,
  part: z.infer<typeof Call>,
  index: number,
): void {
  const known = calls.get(index)
  const { name, arguments: written } = part.function ?? {}
  const another = known?.id && part.id && part.id !== known.id && name
  const piece =
    typeof written === 'string' ? written : written === undefined || written === null ? '' : JSON.stringify(written)
  if (!known || another)
    calls.set(another ? Math.max(...calls.keys()) + 1 : index, {
      id: part.id ?? undefined,
      name: name ?? '',
      arguments: piece,
    })
  else {
    known.name ||= name ?? ''
    known.id ??= part.id ?? undefined
    known.arguments += piece
  }
}

function wordsOf(content: z.infer<typeof Content>): string {
  if (typeof content === 'string') return content
  return (content ?? [])
    .map(part => (part.type === 'text' || part.type === 'output_text' ? (part.text ?? '') : ''))
    .join('')
}

function usageOf(usage: z.infer<typeof Tokens>): ChatReply['usage'] | undefined {
  if (usage?.prompt_tokens === undefined || usage.prompt_tokens === null) return undefined
  return { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens ?? 0 }
}

function stopOf(reason: string | null | undefined, refusal: string | null | undefined): ChatReply['stop'] {
  if (refusal) return 'refused'
  if (reason === 'length' || reason === 'max_tokens' || reason === 'model_length') return 'length'
  if (reason === 'tool_calls' || reason === 'function_call') return 'calls'
  return reason === 'content_filter' ? 'refused' : 'end'
}
