import type { ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import { shallowJson } from '../../../src/core/json.ts'
import { toolsToOffer } from '../request.ts'
import type { TransportReply } from './chat-transport.ts'
import { argumentsFrom } from './text-calls/found-call.ts'
import { readTextCalls } from './text-calls.ts'
import { splitThinking } from './thinking.ts'
import { readStep, type SpokenMode } from './tool-mode.ts'
import { jsonIn, validateReply } from './validate-reply.ts'

// The outcome of a reply: an answer or calls, or a problem and whether another attempt may fix it.
type ReplyReading =
  | {
      problem?: undefined
      text: string
      thinking?: string
      calls: TransportReply['calls']
      stop: ChatReply['stop']
      via: SpokenMode
    }
  | { problem: string; wrong?: boolean; hopeless?: boolean; empty?: boolean; cramped?: boolean; hint?: string }

export interface ReplyFormat {
  steps: boolean // the reply is a step of schema mode
  held?: object // the JSON schema of an answer
}

// Reads a reply: removes thinking, finds calls in any form, validates the answer against its schema.
export function readReply(sent: TransportReply, request: ChatRequest, expected: ReplyFormat): ReplyReading {
  const raw = withJsonOfThinking(sent, expected)
  const { text: spoken, thinking: inText, open } = splitThinking(raw.text)
  const thinking = [raw.thinking?.trim(), inText].filter(part => part).join('\n\n') || undefined
  const content = findCalls(raw, spoken, request, expected)
  if (content === 'no step') return notOfSchema(raw, 'it is not a JSON object with "calls" and "answer"', open)
  if (content.calls.length > 0) return { ...content, thinking, stop: 'calls' }

  let { text } = content
  if (text === '' && raw.stop === 'refused') return { ...content, thinking, stop: 'refused' }
  if (text === '') return nothingSaid(raw, open, thinking)
  if (expected.held) {
    const validation = validateReply(text, expected.held)
    if (validation.problem !== undefined) return notOfSchema(raw, validation.problem, open)
    text = JSON.stringify(validation.value)
  }
  return { ...content, text, thinking, stop: raw.stop === 'calls' ? 'end' : raw.stop }
}

// Some servers take a reply that is held to a schema for thinking and leave the reply empty. It is taken where nothing
// else was thought: thinking may hold drafts in JSON.
function withJsonOfThinking(raw: TransportReply, { steps, held }: ReplyFormat): TransportReply {
  if (!raw.thinking || raw.text.trim() !== '' || raw.calls.length > 0) return raw
  const text = splitThinking(raw.thinking)
    .text.replace(/^```(json)?/, '')
    .replace(/```$/, '')
  if (!isJson(text)) return raw
  const fits = steps ? readStep(jsonIn(text)) : held && validateReply(text, held).problem === undefined
  return fits ? { ...raw, text, thinking: undefined } : raw
}

function isJson(text: string): boolean {
  try {
    shallowJson(text)
    return true
  } catch {
    return false
  }
}

type ReplyContent = { calls: TransportReply['calls']; text: string; via: SpokenMode }

function findCalls(
  raw: TransportReply,
  spoken: string,
  request: ChatRequest,
  expected: ReplyFormat,
): ReplyContent | 'no step' {
  const tools = toolsToOffer(request)
  if (tools.length === 0) return { calls: [], text: spoken, via: 'native' }
  if (raw.calls.length > 0) {
    const calls = raw.calls.map(call => ({ ...call, arguments: readArguments(call.arguments) }))
    return { calls, text: spoken, via: 'native' }
  }
  const step = expected.steps ? readStep(jsonIn(spoken)) : undefined
  if (step) return { ...step, via: 'schema' }
  const written: ReplyContent = { ...readTextCalls(spoken, tools, raw.stop === 'length'), via: 'text' }
  return expected.steps && spoken !== '' && written.calls.length === 0 ? 'no step' : written
}

function nothingSaid(raw: TransportReply, open: boolean, thinking: string | undefined): ReplyReading {
  const thought = open || thinking !== undefined
  const hint = thought
    ? 'Raise maxTokens, or turn thinking off for this model.'
    : 'Look at the log of the server; a prompt that is too long for it can end like this.'
  const problem = thought
    ? 'it thought and never came to an answer'
    : raw.calls.length > 0
      ? 'it called a tool where none was offered'
      : 'the reply is empty'
  // Some servers end every reply with "stop": thinking that never ended was cut all the same.
  const cramped = raw.stop === 'length' || open
  return { problem, hint, hopeless: raw.stop === 'length', empty: true, cramped }
}

function notOfSchema(raw: TransportReply, problem: string, open: boolean): ReplyReading {
  if (splitThinking(raw.text).text === '') return nothingSaid(raw, open, raw.thinking)
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
