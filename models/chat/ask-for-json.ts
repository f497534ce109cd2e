import type { z } from 'zod'
import type { ChatModel, ChatRequest } from '../../src/core/chat.ts'
import { BackendError } from '../../src/core/errors.ts'
import { explainReplyIssue } from '../explain-issue.ts'
import { jsonIn } from './adapter/validate-reply.ts'

// Asks for JSON and validates it, also for chat models that do not do so themselves (scripted ones).
export async function jsonReply<T>(
  model: ChatModel,
  request: ChatRequest,
  shape: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const { text } = await model.reply(request, signal)
  const value = jsonIn(text)
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const what =
    value === undefined ? 'no JSON' : `JSON of another form (${explainReplyIssue(result.error, 'the reply')})`
  throw new BackendError(`${model.id} answered with ${what}: "${text.slice(0, 80)}".`, {
    retryable: true,
    cause: result.error,
    hint: 'Use a larger model, or a server that holds a reply to a JSON schema.',
  })
}
