import type { ChatMessage, ContentPart } from '../../../src/core/chat.ts'

// Messages in the plain form that LangChain takes as well as its own classes.
export function langchainMessages(messages: readonly ChatMessage[]): object[] {
  return messages.map(message => {
    const content = contentOf(message.content)
    if (message.role === 'tool') return { type: 'tool', tool_call_id: message.call, name: message.name, content }
    if (message.role !== 'assistant') return { type: message.role === 'user' ? 'human' : 'system', content }
    const tool_calls = message.calls?.map(call => ({
      type: 'tool_call',
      id: call.id,
      name: call.name,
      args: call.arguments ?? {},
    }))
    return { type: 'ai', content, ...(tool_calls?.length && { tool_calls }) }
  })
}

function contentOf(content: readonly ContentPart[]): string | object[] {
  if (content.every(part => part.type === 'text')) return content.map(part => part.text).join('')
  return content.map(part => {
    if (part.type === 'text') return part
    if (part.type === 'image') {
      const url = `data:image/jpeg;base64,${Buffer.from(part.jpeg).toString('base64')}`
      return { type: 'image_url', image_url: { url } }
    }
    return { type: 'input_audio', input_audio: { data: Buffer.from(part.wav).toString('base64'), format: 'wav' } }
  })
}
