import { contentText } from '../../../src/core/chat.ts'
import type { TransportReply, TransportRequest } from './chat-transport.ts'

// A token is rarely more characters of a prompt than this, and templates write tools in at least half of the characters of their JSON.
const maxCharacters = 5
const minShare = 0.5
const minOffered = 1000 // characters: fewer cannot be told apart from an estimate

// Whether the prompt that the server counted has no room for the tools of the request: its chat template has no place for tools, and drops them
// without a word. Only the first request of a conversation tells: of later ones servers count only what they had not read before.
export function dropsTools({ tools = [], messages }: TransportRequest, { usage, calls }: TransportReply): boolean {
  if (tools.length === 0 || calls.length > 0 || !usage || usage.inputTokens === 0) return false
  const offered = JSON.stringify(tools).length
  const characters = messages.reduce((sum, message) => sum + contentText(message.content).length, 0)
  if (offered < minOffered) return false
  const isLater = messages.some(({ role }) => role === 'tool')
  const isMedia = messages.some(message => message.content.some(part => part.type !== 'text'))
  return !isLater && !isMedia && usage.inputTokens < (0.8 * (characters + minShare * offered)) / maxCharacters
}
