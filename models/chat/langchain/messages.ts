import type { ChatMessage } from '../../../src/core/chat.ts'
import { openaiContent } from '../openai/request.ts'

// Messages as plain objects, which LangChain accepts like its own classes, with content in OpenAI's form.
export function langchainMessages(messages: readonly ChatMessage[]): object[] {
  return messages.map(message => {
    const content = openaiContent(message.content)
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
