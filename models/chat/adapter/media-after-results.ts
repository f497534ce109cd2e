import type { ChatMessage, ContentPart } from '../../../src/core/chat.ts'

// Pictures and sound of tool results in the user message after all results of the round, made where none follows: OpenAI's protocol
// allows only words in a result, templates of local models drop what else stands there, and every server takes pictures from a user.
export function mediaAfterResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  let pendingMedia: ContentPart[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      const { words, media } = apart(message.content)
      out.push(media.length > 0 ? { ...message, content: words } : message)
      if (media.length > 0) pendingMedia.push({ type: 'text', text: `From the result of ${message.name}:` }, ...media)
      continue
    }
    const isNext = message.role === 'user' && pendingMedia.length > 0
    if (pendingMedia.length > 0 && !isNext) out.push({ role: 'user', content: pendingMedia })
    out.push(isNext ? { ...message, content: [...pendingMedia, ...message.content] } : message)
    pendingMedia = []
  }
  return pendingMedia.length > 0 ? [...out, { role: 'user', content: pendingMedia }] : out
}

// A text directly before a picture is its label and goes with it; the first text of a result stays, as it may be all of its words.
function apart(content: readonly ContentPart[]): { words: ContentPart[]; media: ContentPart[] } {
  const isMedia = (part: ContentPart | undefined) => part !== undefined && part.type !== 'text'
  const goes = (part: ContentPart, at: number) => isMedia(part) || (at > 0 && isMedia(content[at + 1]))
  return { words: content.filter((part, at) => !goes(part, at)), media: content.filter(goes) }
}
