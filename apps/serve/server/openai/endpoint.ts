import { Hono } from 'hono'
import { z } from 'zod'
import { Refused } from '../../../../src/core/api/problem.ts'
import { contentHash } from '../../../../src/core/json.ts'
import { videoEntry } from '../../work/videos/video-view.ts'
import { textStream } from '../events.ts'
import { isClientGone, jsonBody, type Serves, streamReply } from '../mount.ts'
import { collectAnswer, readAnswerEvents } from './answer-events.ts'
import { chatCompletion, type ReplyText, streamChunks } from './chunks.ts'
import { errorReply, ModelError, refusalOfProblem, toRefusal } from './errors.ts'
import { deleteUploadedFile, listFiles, readFile, receiveFile } from './files.ts'
import { MessageContent, readMessages } from './messages.ts'
import { listModels } from './models.ts'
import { formHint, maxModelBody, Own, refuseTools, refuseUnsupported } from './parameters.ts'
import { linkIn, type ModelParts } from './parts.ts'
import { parseAsk } from './question.ts'
import { cancelResponse, createResponse, readResponse } from './responses.ts'
import { type SharedAsks, sharedAsks } from './shared-asks.ts'

const together = 10 // videos that are looked at at the same time

// The agent as a model of OpenAI's protocols, below /v1.
export function modelEndpoint(
  parts: ModelParts,
  checkKey: (authorization?: string) => void,
  say: (line: string) => void,
): Hono<Serves> {
  const app = new Hono<Serves>()
  const asks = sharedAsks(parts.jobs)
  const models = async () => {
    const videos = await parts.served.runtime.library.list()
    const listed: Parameters<typeof listModels>[0][number][] = []
    for (let at = 0; at < videos.length; at += together) {
      const some = videos.slice(at, at + together)
      listed.push(
        ...(await Promise.all(
          some.map(async video => ({ video, state: (await videoEntry(parts.served, video)).state })),
        )),
      )
    }
    return listModels(listed)
  }

  app.use(async (context, next) => {
    checkKey(context.req.header('authorization'))
    await next()
  })
  app.get('/models', async context => context.json({ object: 'list', data: await models() }))
  app.get('/models/:model{.+}', async context => {
    const name = context.req.param('model')
    const model = (await models()).find(({ id }) => id === name)
    if (model) return context.json(model)
    throw new ModelError(404, 'model_not_found', `There is no model ${JSON.stringify(name)}.`, { param: 'model' })
  })
  app.post('/chat/completions', context => replyToChat(parts, asks, context.req.raw))
  app.post('/responses', context => createResponse(parts, asks, context.req.raw))
  app.get('/responses/:response', context => readResponse(parts, context.req.param('response'), context.req.raw))
  app.post('/responses/:response/cancel', context => cancelResponse(parts, context.req.param('response')))
  app.post('/files', context => receiveFile(parts, context))
  app.get('/files', () => listFiles(parts))
  app.get('/files/:file', context => readFile(parts, context.req.param('file')))
  app.delete('/files/:file', context => deleteUploadedFile(parts, context.req.param('file')))
  app.all('*', () => {
    throw new Refused('unknown', 'There is nothing at this address.', 'See "longtake serve" in docs/server.md.')
  })
  app.onError((error, { req }) => {
    const refusal = toRefusal(error)
    if (refusal.status === 500 && !isClientGone(error, req.raw)) say(refusal.body.error.message)
    return errorReply(refusal)
  })
  return app
}

const ChatBody = Own.extend({
  messages: z.array(z.looseObject({ role: z.string(), content: MessageContent })).min(1),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
})

// POST /v1/chat/completions
async function replyToChat(parts: ModelParts, asks: SharedAsks, request: Request): Promise<Response> {
  const body = await jsonBody(request, ChatBody, { hint: formHint, max: maxModelBody })
  refuseUnsupported(body)
  refuseTools(body, false)
  const chatTurns = readMessages(body.messages, 'messages')
  const { notes, form, video, ...wish } = await parseAsk(parts, { body, said: chatTurns }, request.signal)
  const key = contentHash(['chat', video.id, wish])
  const { job, leave } = await asks.join(key, () => parts.jobs.ask(video, wish))
  const reply: ReplyText = {
    id: `chatcmpl-${job.id}`,
    model: body.model,
    created: Math.floor(Date.parse(job.created) / 1000),
    notes,
    form,
    link: linkIn(parts, video.id),
  }
  const { told, leaveNow } = await readAnswerEvents(parts.jobs, { job, leave }, request.signal)
  if (body.stream) {
    const chunks = streamChunks(told, reply, body.stream_options?.include_usage === true)
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
    yield `data: ${JSON.stringify(toRefusal(error).body)}\n\n`
  } finally {
    await end()
  }
}
