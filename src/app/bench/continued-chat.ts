import type { ChatModel } from '../../core/chat.ts'
import type { Redact } from '../../store/redact.ts'
import { continuedCalls } from '../continued-calls.ts'

// The models of one question, each call written down in the question's folder. A question that a kill cut short is asked again
// from its beginning, but what its models had replied by then is read from there and not paid for twice.
export function continuedChats(folder: string, redact: Redact): (model: ChatModel) => ChatModel {
  return continuedCalls(folder, redact).model
}
