import type { ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import { countPictureTokens } from '../../../src/media/picture-tokens.ts'
import { charactersIn } from '../request.ts'

// Estimates four characters a token, and pictures by the model's family, so that budgets hold where nobody counts.
export function estimatedUsage(
  model: string,
  request: ChatRequest,
  { text, thinking = '' }: Pick<ChatReply, 'text' | 'thinking'>,
): ChatReply['usage'] {
  const parts = request.messages.flatMap(message => message.content)
  const pictures = parts.map(part => (part.type === 'image' ? countPictureTokens(model, part.jpeg) : 0))
  return {
    inputTokens: pictures.reduce((sum, tokens) => sum + tokens, Math.ceil(charactersIn(request) / 4)),
    outputTokens: Math.ceil((text.length + thinking.length) / 4),
  }
}
