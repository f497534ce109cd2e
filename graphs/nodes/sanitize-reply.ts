import type { ChatReply, ToolCall } from '../../src/core/chat.ts'

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
