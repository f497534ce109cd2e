import type { ChatModel } from '../../src/core/chat.ts'

const usualContext = 32_768 // tokens, of a model that does not say
const largeContext = 200_000
const openingTokens = 170 // of an opening frame, about
const viewTokens = 450 // of a viewed frame, about

// What a model of this context window is given at once.
export function conversationLengths({ contextTokens = usualContext }: Pick<ChatModel, 'contextTokens'>) {
  const maxOpeningFrames = contextTokens >= largeContext ? 96 : 64
  return {
    indexCharacters: 4 * Math.min(60_000, Math.max(2000, Math.floor(contextTokens * 0.25))),
    resultCharacters: 4 * Math.min(12_000, Math.max(1000, Math.floor(contextTokens * 0.1))),
    maxOpeningFrames, // if there is room for them
    openingFrames: Math.min(maxOpeningFrames, Math.max(4, Math.floor((contextTokens * 0.35) / openingTokens))),
    viewFrames: Math.min(64, Math.max(4, Math.floor((contextTokens * 0.35) / viewTokens))),
    room: Math.floor(contextTokens * 0.85),
  }
}
