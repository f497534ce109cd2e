import { type ChatModel, type ChatReply, type ChatRequest, decorate } from '../../src/core/chat.ts'
import { BackendError, errorText } from '../../src/core/errors.ts'
import type { AgentSession, ModelRole } from '../session.ts'
import { sanitizeReply } from './sanitize-reply.ts'

// One question to a model. What may pass is tried once more; a prompt that was too long is made shorter and asked again. Where
// nothing helps the reason is kept for the answer to tell, and nothing comes back. A model that answers, but nothing of use, said
// nothing: its reply is empty.
export async function askModel(
  session: AgentSession,
  role: ModelRole,
  request: () => ChatRequest,
  yields: (error: unknown) => boolean = () => false, // where the request can do without what may have been refused
): Promise<ChatReply | undefined> {
  const { parts } = session
  let again = true
  for (;;) {
    try {
      const reply = await session.ask(listening(parts[role] ?? parts.verifier), request())
      session.pay(role, reply)
      return reply
    } catch (error) {
      if (session.stopped()) return undefined
      const tooLong = error instanceof BackendError && error.reason === 'context-overflow'
      if (tooLong && session.shorten()) {
        session.watch({
          type: 'note',
          text: 'The prompt was too long for the model; it is asked again with less of it.',
        })
        continue
      }
      if (error instanceof BackendError && error.reason === 'bad-reply') {
        session.watch({ type: 'note', text: errorText(error).slice(0, 500) })
        return silence
      }
      if (error instanceof BackendError && error.retryable && again) {
        again = false
        continue
      }
      if (yields(error)) continue
      const text = errorText(error).slice(0, 500)
      if (!session.failures.includes(text)) session.failures.push(text)
      session.watch({ type: 'note', text })
      return undefined
    }
  }
}

const silence: ChatReply = {
  text: '',
  calls: [],
  stop: 'end',
  usage: { inputTokens: 0, outputTokens: 0 },
  model: '',
}

// Whatever a model sends back, the graph sees a reply of the right form and of bounded length.
function listening(model: ChatModel): ChatModel {
  return decorate(model, async (request, signal, onText) => sanitizeReply(await model.reply(request, signal, onText)))
}
