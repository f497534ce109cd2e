import { type ChatMessage, type ContentPart, textOf } from '../../../src/core/chat.ts'
import { decodeImage } from '../../../src/media/image.ts'
import type { Picture, TemplateMessage } from './messages.ts'

// A conversation in the form of chat templates, and its pictures in order.
export async function templateMessages(
  messages: readonly ChatMessage[],
): Promise<{ messages: TemplateMessage[]; pictures: Picture[] }> {
  const parts = messages.flatMap(message => message.content)
  const pictures = await Promise.all(parts.flatMap(part => (part.type === 'image' ? [decodeImage(part.jpeg)] : [])))
  return {
    messages: messages.map(templateMessage),
    pictures: pictures.map(({ width, height, rgb }) => ({ width, height, rgb })),
  }
}

function templateMessage(message: ChatMessage): TemplateMessage {
  if (message.role === 'tool') return { role: 'tool', name: message.name, content: textOf(message.content) }
  if (message.role === 'assistant' && message.calls?.length)
    return {
      role: 'assistant',
      content: textOf(message.content),
      tool_calls: message.calls.map(call => ({
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }
  return { role: message.role, content: contentOf(message.content) }
}

function contentOf(parts: readonly ContentPart[]): TemplateMessage['content'] {
  if (!parts.some(part => part.type === 'image')) return textOf(parts)
  return parts.map(part => (part.type === 'text' ? { type: 'text', text: part.text } : { type: 'image' }))
}
