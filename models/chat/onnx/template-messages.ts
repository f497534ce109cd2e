import { type ChatMessage, type ContentPart, contentText } from '../../../src/core/chat.ts'
import { wavSamples } from '../../../src/media/audio.ts'
import { decodeImage } from '../../../src/media/image.ts'
import type { OnnxChatKind, RgbPicture, TemplateMessage } from './messages.ts'

// A conversation in the form of chat templates, its pictures and its sounds in order.
export async function templateMessages(
  messages: readonly ChatMessage[],
  kind: OnnxChatKind,
): Promise<{ messages: TemplateMessage[]; pictures: RgbPicture[]; sounds: Float32Array[] }> {
  const parts = messages.flatMap(message => message.content)
  const pictures = await Promise.all(parts.flatMap(part => (part.type === 'image' ? [decodeImage(part.jpeg)] : [])))
  return {
    messages: messages.map(message => templateMessage(message, kind)),
    pictures: pictures.map(({ width, height, rgb }) => ({ width, height, rgb })),
    sounds: parts.flatMap(part => (part.type === 'audio' ? [wavSamples(part.wav)] : [])),
  }
}

function templateMessage(message: ChatMessage, kind: OnnxChatKind): TemplateMessage {
  if (message.role === 'tool') return { role: 'tool', name: message.name, content: contentText(message.content) }
  const content = kind === 'text' ? contentText(message.content) : toTemplateContent(message.content)
  if (message.role === 'assistant' && message.calls?.length)
    return {
      role: 'assistant',
      content,
      tool_calls: message.calls.map(call => ({
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }
  return { role: message.role, content }
}

// A list always: templates of models that see may skip a content that is a string (SmolVLM), and read only the first
// text of a system message (Gemma).
function toTemplateContent(content: readonly ContentPart[]): Exclude<TemplateMessage['content'], string> {
  const parts: Exclude<TemplateMessage['content'], string> = []
  for (const part of content) {
    const last = parts.at(-1)
    if (part.type !== 'text') parts.push({ type: part.type })
    else if (last?.type === 'text') last.text += part.text
    else parts.push({ type: 'text', text: part.text })
  }
  return parts
}
