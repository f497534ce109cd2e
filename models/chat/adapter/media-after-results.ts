import type { ChatMessage, ContentPart } from '../../../src/core/chat.ts'

// Pictures and sound of tool results in the user message after all results of the round, made where none follows: OpenAI's protocol
// allows only words in a result, templates of local models drop what else stands there, and every server takes pictures from a user.
export function mediaAfterResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  let shown: ContentPart[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const { words, media } = apart(message.content)
      out.push(media.length > 0 ? { ...message, content: words } : message)
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

// A text directly before a picture is its label and goes with it; the first text of a result stays, as it may be all of its words.
function apart(content: readonly ContentPart[]): { words: ContentPart[]; media: ContentPart[] } {
  const isMedia = (part: ContentPart | undefined) => part !== undefined && part.type !== 'text'
  const goes = (part: ContentPart, at: number) => isMedia(part) || (at > 0 && isMedia(content[at + 1]))
  return { words: content.filter((part, at) => !goes(part, at)), media: content.filter(goes) }
}
