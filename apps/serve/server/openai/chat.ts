import { z } from 'zod'
import { contentHash } from '../../../../src/core/json.ts'
import { textStream } from '../events.ts'
import { jsonBody, streamReply } from '../mount.ts'
import { collectAnswer, readAnswerEvents } from './answer-events.ts'
import { chatCompletion, chunksOf, type ReplyText } from './chunks.ts'
import { errorReply, refusalOf, refusalOfProblem } from './errors.ts'
import { MessageContent, readMessages } from './messages.ts'
import { formHint, Own, refuseTools, refuseUnsupported } from './parameters.ts'
import type { ModelParts } from './parts.ts'
import { parseAsk } from './question.ts'
import type { SharedAsks } from './shared-asks.ts'

const ChatBody = Own.extend({
  messages: z.array(z.looseObject({ role: z.string(), content: MessageContent })).min(1),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})

// POST /v1/chat/completions
export async function replyToChat(parts: ModelParts, asks: SharedAsks, request: Request): Promise<Response> {
  const body = await jsonBody(request, ChatBody, formHint)
  refuseUnsupported(body)
  refuseTools(body, false)
  const chatTurns = readMessages(body.messages, 'messages')
  const { notes, video, ...wish } = await parseAsk(parts, { body, said: chatTurns }, request.signal)
  const key = contentHash(['chat', video.id, wish])
  const { job, leave } = await asks.join(key, () => parts.jobs.ask(video, wish))
  const reply: ReplyText = {
    id: `chatcmpl-${job.id}`,
    model: body.model,
    created: Math.floor(Date.parse(job.created) / 1000),
    notes,
    link: row => parts.link(video.id, row),
  }
  const { told, leaveNow } = await readAnswerEvents(parts.jobs, { job, leave }, request.signal)
  if (body.stream) {
    const chunks = chunksOf(told, reply, body.stream_options?.include_usage === true)
    return streamReply(textStream(blocks(chunks, leaveNow), () => void leaveNow()))
  }
  try {
    const { reasoning, end } = await collectAnswer(told)
    if (end?.kind === 'answered') return Response.json(chatCompletion(end.job, reasoning, reply))
    if (end?.kind === 'failed') return errorReply(refusalOfProblem(end.error))
    return new Response(null) // nobody is there to read it
  } finally {
    await leaveNow()
  }
}

// An error ends a stream that has begun; only a whole one says that it is done.
async function* blocks(chunks: AsyncIterable<object>, end: () => Promise<void>): AsyncGenerator<string> {
  try {
    for await (const chunk of chunks) {
      yield `data: ${JSON.stringify(chunk)}\n\n`
      if ('error' in chunk) return
    }
    yield 'data: [DONE]\n\n'
  } catch (error) {
    yield `data: ${JSON.stringify(refusalOf(error).body)}\n\n`
  } finally {
    await end()
  }
}
