import type { ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import { ServerError } from '../../http/server-error.ts'
import { charactersIn } from '../request.ts'

// Where Ollama ignores or is not given "truncate", it cuts the prompt to its context and answers from the rest. Text has
// fewer than six characters a token, so a prompt with far more text than its token count allows was cut.
export function refuseCutPrompt(
  id: string,
  request: ChatRequest,
  usage: ChatReply['usage'] | undefined,
  smallestContext: number,
  hint: string,
): void {
  if (!usage || usage.inputTokens < smallestContext) return
  if (charactersIn(request) / 6 <= usage.inputTokens) return
  throw new ServerError(`${id} cut the prompt to its context: ${usage.inputTokens} tokens were read.`, {
    retry: 'no',
    reason: 'context-overflow',
    hint,
  })
}
