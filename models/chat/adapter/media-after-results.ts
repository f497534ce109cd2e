import type { ChatMessage, ContentPart } from '../../../src/core/chat.ts'

// Pictures and sound of tool results in the user message after all results of the round, made where none follows: OpenAI's protocol
// allows only words in a result, templates of local models drop what else stands there, and every server takes pictures from a user.
export function mediaAfterResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  let shown: ContentPart[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const media = message.content.filter(part => part.type !== 'text')
      out.push(
        media.length > 0 ? { ...message, content: message.content.filter(part => part.type === 'text') } : message,
      )
      if (media.length > 0) shown.push({ type: 'text', text: `From the result of ${message.name}:` }, ...media)
      continue
    }
    const isNext = message.role === 'user' && shown.length > 0
    if (shown.length > 0 && !isNext) out.push({ role: 'user', content: shown })
    out.push(isNext ? { ...message, content: [...shown, ...message.content] } : message)
    shown = []
  }
  return shown.length > 0 ? [...out, { role: 'user', content: shown }] : out
}
