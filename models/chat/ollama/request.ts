import type { Message, ChatRequest as OllamaRequest } from 'ollama'
import type { ChatMessage, ChatRequest } from '../../../src/core/chat.ts'
import { functionTools, joinText } from '../request.ts'

export interface OllamaBodySettings {
  model: string
  contextTokens: number
  keepAlive?: string | number
  think?: boolean | 'low' | 'medium' | 'high'
}

// The body of /api/chat. With "truncate" and "shift" off Ollama refuses a prompt that is too long; otherwise it
// silently drops the oldest messages.
export function ollamaBody(
  request: ChatRequest,
  settings: OllamaBodySettings,
): OllamaRequest & { truncate: false; shift: false } {
  const tools = functionTools(request)
  return {
    model: settings.model,
    messages: request.messages.map(ollamaMessage),
    truncate: false,
    shift: false,
    ...(tools.length > 0 && { tools }),
    ...(request.schema && { format: request.schema.schema }),
    ...(settings.think !== undefined && { think: settings.think }),
    ...(settings.keepAlive !== undefined && { keep_alive: settings.keepAlive }),
    options: {
      num_ctx: settings.contextTokens,
      ...(request.maxTokens !== undefined && { num_predict: request.maxTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.seed !== undefined && { seed: request.seed }),
    },
  }
}

function ollamaMessage(message: ChatMessage): Message {
  const images = message.content.flatMap(part =>
    part.type === 'image' ? [Buffer.from(part.jpeg).toString('base64')] : [],
  )
  const calls = message.role === 'assistant' ? message.calls : undefined
  return {
    role: message.role,
    content: joinText(message.content),
    ...(images.length > 0 && { images }),
    ...(calls?.length && {
      tool_calls: calls.map(call => ({ function: { name: call.name, arguments: asObject(call.arguments) } })),
    }),
    ...(message.role === 'tool' && { tool_name: message.name }),
  }
}

// Ollama accepts only objects; arguments that could not be parsed go back to the model under "unreadable".
function asObject(value: unknown): Record<string, unknown> {
  if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  return value === undefined || value === null ? {} : { unreadable: value }
}
