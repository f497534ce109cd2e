import { Hono } from 'hono'
import { Refused } from '../../../../src/core/api/problem.ts'
import { videoEntry } from '../../work/videos/video-view.ts'
import { isClientGone, type Serves } from '../mount.ts'
import { replyToChat } from './chat.ts'
import { errorReply, ModelError, refusalOf } from './errors.ts'
import { deleteUploadedFile, listFiles, readFile, receiveFile } from './files.ts'
import { modelsOf } from './models.ts'
import type { ModelParts } from './parts.ts'
import { cancelResponse, createResponse, readResponse } from './responses.ts'
import { sharedAsks } from './shared-asks.ts'

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
    const listed: Parameters<typeof modelsOf>[0][number][] = []
    for (let at = 0; at < videos.length; at += together) {
      const some = videos.slice(at, at + together)
      listed.push(
        ...(await Promise.all(
          some.map(async video => ({ video, state: (await videoEntry(parts.served, video)).state })),
        )),
      )
    }
    return modelsOf(listed)
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
    const refusal = refusalOf(error)
    if (refusal.status === 500 && !isClientGone(error, req.raw)) say(refusal.body.error.message)
    return errorReply(refusal)
  })
  return app
}
