import type { ChatResponse } from 'ollama'
import { z } from 'zod'
import type { ChatReply, ChatRequest } from '../../../src/core/chat.ts'
import { explainReplyIssue } from '../../explain-issue.ts'
import { ServerError } from '../../http/server-error.ts'
import type { TransportReply } from '../adapter/chat-transport.ts'
import { refuseCutPrompt } from '../adapter/cut-prompt.ts'

const Piece = z.object({
  model: z.string().nullish(),
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z
        .array(
          z.object({
            id: z.string().nullish(),
            function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
          }),
        )
        .nullish(),
    })
    .nullish(),
  done: z.boolean(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
})

interface SentRequest {
  id: string
  contextTokens: number
  request: ChatRequest
}

// Joins the pieces of a streamed reply. The client itself throws if the last piece is missing.
export async function readOllamaStream(
  pieces: AsyncIterable<ChatResponse>,
  asked: SentRequest,
  onText?: (piece: string) => void,
): Promise<TransportReply> {
  const reply: TransportReply = { text: '', calls: [], stop: 'end', model: '' }
  let thinking = ''
  for await (const value of pieces) {
    const piece = read(asked, value)
    const words = piece.message?.content ?? ''
    reply.text += words
    if (words !== '') onText?.(words)
    thinking += piece.message?.thinking ?? ''
    for (const call of piece.message?.tool_calls ?? [])
      reply.calls.push({ id: call.id ?? undefined, name: call.function.name, arguments: call.function.arguments })
    reply.model ||= piece.model ?? ''
    if (!piece.done) continue
    reply.usage = readUsage(piece)
    if (piece.done_reason === 'length') reply.stop = 'length'
  }
  refuseCutPrompt(
    asked.id,
    asked.request,
    reply.usage,
    asked.contextTokens / 2,
    'Ask with less, or raise contextTokens.',
  )
  return { ...reply, thinking: thinking || undefined }
}

function read(asked: SentRequest, value: unknown): z.infer<typeof Piece> {
  const result = Piece.safeParse(value)
  if (result.success) return result.data
  throw new ServerError(`${asked.id} answered in an unknown form (${explainReplyIssue(result.error, 'the reply')}).`, {
    retry: 'once',
    hint: 'Is it Ollama that listens there? Check the URL.',
  })
}

function readUsage(piece: z.infer<typeof Piece>): ChatReply['usage'] | undefined {
  if (piece.prompt_eval_count === undefined || piece.prompt_eval_count === null) return undefined
  return { inputTokens: piece.prompt_eval_count, outputTokens: piece.eval_count ?? 0 }
}
