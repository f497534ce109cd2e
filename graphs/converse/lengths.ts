import type { ChatModel } from '../../src/core/chat.ts'

const usualContext = 32_768 // tokens, of a model that does not say
const frameTokens = 200 // of an opening frame, about

// What a model of this context window is given at once.
export function conversationLengths({ contextTokens = usualContext }: Pick<ChatModel, 'contextTokens'>) {
  return {
    indexCharacters: 4 * Math.min(60_000, Math.max(8000, Math.floor(contextTokens * 0.2))),
    resultCharacters: 4 * Math.min(12_000, Math.max(2000, Math.floor(contextTokens * 0.1))),
    openingFrames: Math.min(contextTokens >= 200_000 ? 96 : 64, Math.floor((contextTokens * 0.4) / frameTokens)),
    viewFrames: Math.min(64, Math.max(4, Math.floor((contextTokens * 0.3) / (2 * frameTokens)))),
    room: Math.floor(contextTokens * 0.85),
  }
}
