import type { ChatRequest } from './chat.ts'
import { contentHash } from './hash.ts'

// What a request is known by when it is asked again: all that a model sees of it. The data beside the messages hold how long
// things took, which differs each time; no language model sees them.
export function chatKey(request: ChatRequest | Record<string, unknown>): string {
  const { brief, ...seen } = request
  return contentHash([seen, request.messages ? undefined : brief])
}
