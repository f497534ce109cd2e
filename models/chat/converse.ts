import type { Closable } from '../../src/core/backend.ts'
import type { ChatModel, ChatReply, ChatRequest, Modality, ToolCall } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { ServerFault } from '../http/fault.ts'
import { holdSchema } from './hold-schema.ts'
import { argumentsFrom } from './text-calls/found-call.ts'
import { readTextCalls } from './text-calls.ts'
import { splitThinking } from './thinking.ts'
import { readStep, type SpokenMode, type ToolMode, withNote, withoutTools } from './tool-mode.ts'
import { visibleText } from './visible-text.ts'

// How one protocol carries a request and what came back, before anything is read into it.
export interface Wire extends Closable {
  id: string
  accepts: ReadonlySet<Modality>
  send(request: ChatRequest, signal: AbortSignal, onText?: (piece: string) => void): Promise<WireReply>
}

export interface WireReply {
  text: string
  thinking?: string
  calls: { id?: string; name: string; arguments: unknown }[] // arguments as JSON or as text
  stop: ChatReply['stop']
  usage?: ChatReply['usage'] // absent where the server counts nothing
  model: string
}

export interface Manner {
  toolMode: ToolMode
  schemaBy: 'server' | 'prompt' | 'both' // who is told of the schema that a reply must hold
  say(line: string): void
}

export interface ServerChatModel extends ChatModel {
  toolsVia(): SpokenMode | undefined // how the last tool call came
}

// A chat model over a wire: one contract for tools, thinking and JSON, whatever the server can do of it. A reply that
// is no answer (empty, only thinking, not of its schema) is asked for once more and then a typed error.
export function converse(wire: Wire, manner: Manner): ServerChatModel {
  let refusedNative = false
  let via: SpokenMode | undefined

  const modeOf = (request: ChatRequest): SpokenMode => {
    const concerned = Boolean(request.tools?.length) || request.messages.some(message => message.role === 'tool')
    if (!concerned) return 'native'
    if (manner.toolMode === 'auto') return refusedNative ? 'schema' : 'native'
    return manner.toolMode
  }

  const speak = async (
    mode: SpokenMode,
    request: ChatRequest,
    signal: AbortSignal,
    onText?: (piece: string) => void,
  ) => {
    const adapted = forWire(request, mode, manner)
    const shown = onText && visibleText(onText, Boolean(request.tools?.length))
    const pieces = shown && !adapted.schema && adapted.held === undefined ? shown.push : undefined
    const usage = { inputTokens: 0, outputTokens: 0 }
    let asked = adapted.request
    for (let tries = 1; ; tries++) {
      const raw = await wire.send(asked, signal, tries === 1 ? pieces : undefined)
      const spent = raw.usage && raw.usage.inputTokens + raw.usage.outputTokens > 0 ? raw.usage : estimated(asked, raw)
      usage.inputTokens += spent.inputTokens
      usage.outputTokens += spent.outputTokens
      const read = interpret(raw, request, adapted)
      if (read.problem === undefined) {
        if (read.calls.length > 0) via = read.via
        shown?.finish(read.text)
        const { text, thinking, stop } = read
        return { text, thinking, calls: numbered(read.calls, request), stop, usage, model: raw.model }
      }
      if (tries === 2 || read.hopeless)
        throw new ServerFault(`${wire.id} gave no answer: ${read.problem}.`, {
          again: read.hopeless ? 'no' : 'once',
          hint: read.hint,
        })
      asked = read.wrong ? corrected(asked, raw.text, read.problem) : asked
    }
  }

  return {
    id: wire.id,
    accepts: wire.accepts,
    toolsVia: () => via,
    async reply(request, signal, onText) {
      refuseWhatItCannotTake(wire, request)
      const mode = modeOf(request)
      try {
        return await speak(mode, request, signal, onText)
      } catch (error) {
        if (mode !== 'native' || manner.toolMode !== 'auto' || !request.tools?.length || !refusesTools(error))
          throw error
        refusedNative = true
        manner.say(
          `${wire.id} takes no tools by itself (${error.details.said}); it is asked for JSON of the same meaning instead.`,
        )
        return speak('schema', request, signal, onText)
      }
    },
    async close() {
      await wire.close?.()
    },
  }
}

interface Adapted {
  request: ChatRequest
  schema?: object // of the tool contract
  held?: object // of the reply
}

function forWire(request: ChatRequest, mode: SpokenMode, manner: Manner): Adapted {
  const spoken = mode === 'native' ? request : withoutTools(request, mode)
  const offers = mode === 'schema' && Boolean(request.tools?.length) && request.toolChoice !== 'none'
  const adapted = { schema: offers ? spoken.schema?.schema : undefined, held: request.schema?.schema }
  if (!spoken.schema || manner.schemaBy === 'server') return { ...adapted, request: spoken }
  const note = `Reply with JSON alone, without any other words, of this JSON schema:\n${JSON.stringify(spoken.schema.schema)}`
  const schema = manner.schemaBy === 'both' ? spoken.schema : undefined
  return { ...adapted, request: { ...spoken, schema, messages: withNote(spoken.messages, note) } }
}

type Read =
  | {
      problem?: undefined
      text: string
      thinking?: string
      calls: WireReply['calls']
      stop: ChatReply['stop']
      via: SpokenMode
    }
  | { problem: string; wrong?: boolean; hopeless?: boolean; hint?: string }

function interpret(raw: WireReply, request: ChatRequest, adapted: Adapted): Read {
  const { text: spoken, thinking: inText, open } = splitThinking(raw.text)
  const thinking = [raw.thinking?.trim(), inText].filter(part => part).join('\n\n') || undefined
  const tools = request.toolChoice === 'none' ? [] : (request.tools ?? [])
  const native = tools.length > 0 ? raw.calls.map(call => ({ ...call, arguments: readArguments(call.arguments) })) : []
  let found: { calls: WireReply['calls']; text: string; via: SpokenMode } = {
    calls: native,
    text: spoken,
    via: 'native',
  }

  if (adapted.schema && native.length === 0) {
    const step = holdSchema(spoken, adapted.schema)
    if (step.problem !== undefined) return notOfSchema(raw, step.problem, open)
    const { calls, text } = readStep(step.value)
    found = { calls, text: calls.length > 0 ? '' : text, via: 'schema' }
  } else if (tools.length > 0 && native.length === 0) {
    found = { ...readTextCalls(spoken, tools, raw.stop === 'length'), via: 'text' }
  }
  if (found.calls.length > 0) return { ...found, thinking, stop: 'calls' }

  let { text } = found
  if (text === '')
    return raw.stop === 'refused' ? { ...found, thinking, stop: 'refused' } : nothingSaid(raw, open, thinking)
  if (adapted.held) {
    const held = holdSchema(text, adapted.held)
    if (held.problem !== undefined) return notOfSchema(raw, held.problem, open)
    text = JSON.stringify(held.value)
  }
  return { ...found, text, thinking, stop: raw.stop === 'calls' ? 'end' : raw.stop }
}

function nothingSaid(raw: WireReply, open: boolean, thinking: string | undefined): Read {
  const thought = open || thinking !== undefined
  const hint = thought
    ? 'Raise maxTokens, or turn thinking off for this model.'
    : 'Look at the log of the server; a prompt that is too long for it can end like this.'
  const problem = thought
    ? 'it thought and never came to an answer'
    : raw.calls.length > 0
      ? 'it called a tool where none was offered'
      : 'the reply is empty'
  return { problem, hint, hopeless: raw.stop === 'length' }
}

function notOfSchema(raw: WireReply, problem: string, open: boolean): Read {
  if (open && splitThinking(raw.text).text === '') return nothingSaid(raw, open, undefined)
  if (raw.stop === 'length')
    return { problem: `its JSON was cut at the length limit (${problem})`, hopeless: true, hint: 'Raise maxTokens.' }
  return {
    problem: `its reply is not JSON of the schema (${problem})`,
    wrong: true,
    hint: 'Use a server that holds a reply to a JSON schema, or a larger model.',
  }
}

function readArguments(value: unknown): unknown {
  return typeof value === 'string' ? argumentsFrom(value) : (value ?? {})
}

// Ids that are there and unlike any other of the conversation, so that a result finds its call.
function numbered(calls: WireReply['calls'], request: ChatRequest): ToolCall[] {
  const taken = new Set(
    request.messages
      .flatMap(message => (message.role === 'assistant' ? (message.calls ?? []) : []))
      .map(call => call.id),
  )
  return calls.map((call, at) => {
    const id = call.id && !taken.has(call.id) ? call.id : `call_${request.messages.length}_${at + 1}`
    taken.add(id)
    return { id, name: call.name, arguments: call.arguments }
  })
}

function corrected(request: ChatRequest, reply: string, problem: string): ChatRequest {
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: [{ type: 'text', text: reply }] },
      {
        role: 'user',
        content: [{ type: 'text', text: `That cannot be used: ${problem}. Reply again, with the JSON alone.` }],
      },
    ],
  }
}

// Four characters a token, so that budgets hold where a server counts nothing.
function estimated(request: ChatRequest, raw: WireReply): ChatReply['usage'] {
  const asked = request.messages
    .flatMap(message => message.content)
    .reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  return {
    inputTokens: Math.ceil(asked / 4),
    outputTokens: Math.ceil((raw.text.length + (raw.thinking?.length ?? 0)) / 4),
  }
}

function refuseWhatItCannotTake(wire: Wire, request: ChatRequest): void {
  for (const part of request.messages.flatMap(message => message.content)) {
    if (wire.accepts.has(part.type)) continue
    throw new UsageError(`${wire.id} takes ${[...wire.accepts].join(' and ')}, but was given ${part.type}.`, {
      hint: `Use a model that takes ${part.type}; if this one does, add "${part.type}" to its setting "accepts".`,
    })
  }
}

function refusesTools(error: unknown): error is ServerFault {
  if (!(error instanceof ServerFault) || error.reason) return false
  const { status = 400, said = '' } = error.details
  return (
    status >= 400 &&
    /(not|n't|unsupported|requires?|unknown|unrecognized|disabled).*tool|tool.*(not|n't|unsupported|requires?|disabled)/i.test(
      said,
    )
  )
}
