import { type ChatModel, type ChatReply, type ChatRequest, decorate, type ToolCall } from '../../src/core/chat.ts'
import { BackendError, errorText } from '../../src/core/errors.ts'
import type { ModelRole } from '../parts.ts'
import type { AgentSession } from '../session.ts'

// One question to a model. What may pass is tried once more; a prompt that was too long is made shorter and asked again. Where
// nothing helps the reason is kept for the answer to tell, and nothing comes back. A model that answers, but nothing of use, said
// nothing: its reply is empty.
export async function askModel(
  session: AgentSession,
  role: ModelRole,
  request: () => ChatRequest,
  yields: (error: unknown) => boolean = () => false, // where the request can do without what may have been refused
): Promise<ChatReply | undefined> {
  const { parts } = session
  let again = true
  for (;;) {
    try {
      return await session.ask(role, listening(parts[role] ?? parts.verifier), request())
    } catch (error) {
      if (session.meter.stopped()) return undefined
      const tooLong = error instanceof BackendError && error.reason === 'context-overflow'
      if (tooLong && session.fit.shorten()) {
        session.watch({
          type: 'note',
          text: 'The prompt was too long for the model; it is asked again with less of it.',
        })
        continue
      }
      if (error instanceof BackendError && error.reason === 'bad-reply') {
        session.watch({ type: 'note', text: errorText(error).slice(0, 500) })
        return silence
      }
      if (error instanceof BackendError && error.retryable && again) {
        again = false
        continue
      }
      if (yields(error)) continue
      const text = errorText(error).slice(0, 500)
      if (!session.failures.includes(text)) session.failures.push(text)
      session.watch({ type: 'note', text })
      return undefined
    }
  }
}

const silence: ChatReply = {
  text: '',
  calls: [],
  stop: 'end',
  usage: { inputTokens: 0, outputTokens: 0 },
  model: '',
}

// Whatever a model sends back, the graph sees a reply of the right form and of bounded length.
function listening(model: ChatModel): ChatModel {
  return decorate(model, async (request, signal, onText) => sanitizeReply(await model.reply(request, signal, onText)))
}

const longestText = 100_000 // characters
const mostCalls = 64

// A reply as the graph can trust it: texts are texts, calls are calls, and neither grows without end.
export function sanitizeReply(given: ChatReply): ChatReply {
  const reply = (given ?? {}) as Partial<Record<keyof ChatReply, unknown>>
  const usage = (reply.usage ?? {}) as { inputTokens?: unknown; outputTokens?: unknown }
  const calls = Array.isArray(reply.calls) ? reply.calls.slice(0, mostCalls).flatMap(sanitizeCall) : []
  return {
    text: typeof reply.text === 'string' ? reply.text.slice(0, longestText) : '',
    ...(typeof reply.thinking === 'string' ? { thinking: reply.thinking.slice(0, longestText) } : {}),
    calls,
    stop: given?.stop ?? 'end',
    usage: { inputTokens: count(usage.inputTokens), outputTokens: count(usage.outputTokens) },
    model: typeof reply.model === 'string' ? reply.model : '',
  }
}

function sanitizeCall(given: unknown, at: number): ToolCall[] {
  const call = given as { id?: unknown; name?: unknown; arguments?: unknown } | null | undefined
  if (typeof call?.name !== 'string') return []
  const id = typeof call.id === 'string' ? call.id.slice(0, 100) : `call_${at}`
  return [{ id, name: call.name.slice(0, 100), arguments: call.arguments }]
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
