import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { type ChatModel, type ChatReply, type ChatRequest, Modality } from '../../src/core/chat.ts'
import { BackendError, backendReasons, errorText, UsageError } from '../../src/core/errors.ts'
import { readTextCalls } from './adapter/text-calls.ts'
import { splitThinking } from './adapter/thinking.ts'
import { readStep } from './adapter/tool-mode.ts'
import { jsonIn } from './adapter/validate-reply.ts'
import { toolsToOffer } from './request.ts'

const Reply = z.union([
  z.string(),
  z.strictObject({
    purpose: z.string().optional().describe('only for requests of this purpose'),
    text: z.string().default(''),
    thinking: z.string().optional(),
    calls: z.array(z.strictObject({ name: z.string(), arguments: z.unknown() })).default([]),
    error: z.string().optional().describe('fail with this instead of replying'),
    reason: z.enum(backendReasons).optional().describe('why it fails, where the caller can act on it'),
    seconds: z.number().min(0).default(0).describe('wait this long first'),
    inputTokens: z.number().default(0),
    outputTokens: z.number().default(0),
  }),
])

const Settings = z.strictObject({
  replies: z.array(Reply).default([]).describe('given one after another'),
  file: z.string().optional().describe('a JSON file with such a list'),
  atOnce: z.number().int().positive().optional().describe('calls that it takes side by side'),
  atEnd: z.enum(['fail', 'repeat-last', 'cycle']).default('fail').describe('what to do when the list is used up'),
})
type Settings = z.infer<typeof Settings>
type Reply = z.infer<typeof Reply>

// Replies from a list: for tests, demonstrations and models that misbehave on purpose.
export default {
  summary: 'replies from a list, in the settings or a file',
  version: '1',
  standIn: true,
  settings: Settings,
  async open(settings): Promise<ChatModel> {
    const list = settings.file ? await readReplies(settings.file) : settings.replies
    const waiting = new Map<string, number>()
    return {
      id: 'chat/scripted',
      accepts: new Set(Modality.options),
      atOnce: settings.atOnce,
      async reply(request, signal, onText) {
        signal.throwIfAborted()
        const fitting = list.filter(
          reply => typeof reply === 'string' || !reply.purpose || reply.purpose === request.purpose,
        )
        const ownList = fitting.some(reply => typeof reply !== 'string' && reply.purpose === request.purpose)
        const key = ownList ? request.purpose : ''
        const at = waiting.get(key) ?? 0
        waiting.set(key, at + 1)
        const reply = fitting[at] ?? afterEnd(settings, fitting, at)
        if (reply === undefined)
          throw new BackendError(`The scripted chat model has no reply number ${at + 1} (${request.purpose}).`, {
            hint: 'Add it to the list, or set atEnd to "repeat-last" or "cycle".',
          })
        return asHeard(await give(reply, at, signal, onText), request)
      },
    }
  },
} satisfies Backend<ChatModel, Settings>

async function readReplies(file: string): Promise<Reply[]> {
  try {
    return z.array(Reply).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`${file} must hold a list of replies: ${errorText(error)}`, {
      hint: 'It must be a JSON array of texts or of objects with text and calls.',
      cause: error,
    })
  }
}

function afterEnd(settings: Settings, list: readonly Reply[], at: number): Reply | undefined {
  if (list.length === 0 || settings.atEnd === 'fail') return undefined
  return settings.atEnd === 'cycle' ? list[at % list.length] : list.at(-1)
}

async function give(
  reply: Reply,
  at: number,
  signal: AbortSignal,
  onText?: (piece: string) => void,
): Promise<ChatReply> {
  const plain = { calls: [], stop: 'end' as const, usage: { inputTokens: 0, outputTokens: 0 }, model: 'scripted' }
  if (typeof reply === 'string') {
    onText?.(reply)
    return { ...plain, text: reply }
  }
  if (reply.seconds > 0) await sleep(reply.seconds * 1000, undefined, { signal }).catch(() => {})
  signal.throwIfAborted()
  if (reply.error) throw new BackendError(reply.error, { reason: reply.reason })
  onText?.(reply.text)
  return {
    ...plain,
    text: reply.text,
    thinking: reply.thinking,
    calls: reply.calls.map((call, i) => ({ id: `scripted_${at}_${i}`, name: call.name, arguments: call.arguments })),
    stop: reply.calls.length > 0 ? 'calls' : 'end',
    usage: { inputTokens: reply.inputTokens, outputTokens: reply.outputTokens },
  }
}

// A script may stand for a model whose server parses neither thinking nor calls: both are then read from the text, as
// for any server.
function asHeard(reply: ChatReply, request: ChatRequest): ChatReply {
  const { text: spoken, thinking } = splitThinking(reply.text)
  const tools = toolsToOffer(request)
  const thought = reply.thinking ?? thinking
  const plain = { ...reply, text: spoken, ...(thought && { thinking: thought }) }
  if (reply.calls.length > 0 || tools.length === 0) return plain
  const { calls, text } = readStep(jsonIn(spoken)) ?? readTextCalls(spoken, tools)
  if (calls.length === 0) return plain
  return { ...plain, text, calls: calls.map((call, i) => ({ ...call, id: `text_${i}` })), stop: 'calls' }
}
