import { Hono } from 'hono'
import { z } from 'zod'
import { UsageError } from '../../../src/core/errors.ts'
import type { Video } from '../../../src/core/video.ts'
import { appListener, closeServers, guarded, listen } from './listen.ts'
import { fileReply, openSource } from './media.ts'
import { jsonBody, notFound, problemReply, type Serves } from './mount.ts'
import { equalInConstantTime, newToken } from './sign.ts'

// What one person's review of a set answers; the server knows nothing of sets.
export interface ReviewDoor {
  page(): Promise<{ html: string; policy: string }>
  videos: readonly { id: string; video?: Video; type?: string }[]
  asks: Readonly<Record<string, (body: unknown) => Promise<object>>>
  still(video: string, time: number): Promise<Uint8Array | undefined> // JPEG
}

// Serves it on loopback only. The token is part of every address: a tag of the page can send no header.
export async function serveReview(door: ReviewDoor, port: number, say: (line: string) => void) {
  const token = newToken()
  const app = new Hono<Serves>()
  app.use('/:token/*', async ({ req }, next) => (equalInConstantTime(token, req.param('token')) ? next() : notFound()))
  app.get('/:token/', async () => {
    const { html, policy } = await door.page()
    return new Response(html, {
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
    })
  })
  app.post('/:token/:ask', async ({ req }) => {
    const ask = Object.hasOwn(door.asks, req.param('ask')) ? door.asks[req.param('ask')] : undefined
    return Response.json(await (ask ?? notFound())(await jsonBody(req.raw, z.looseObject({}))))
  })
  app.get('/:token/video/:id', async ({ req }) => {
    const { video, type } = door.videos.find(({ id }) => id === req.param('id')) ?? notFound()
    if (!video || type === undefined) return notFound()
    const file = await openSource(video)
    return fileReply({ file, bytes: video.bytes, type: type.split(';')[0] ?? type }, req.method, req.header('range'))
  })
  app.get('/:token/still/:id/:time', async ({ req }) => {
    const time = Number(req.param('time'))
    const still = time >= 0 ? await door.still(req.param('id'), time) : undefined
    return new Response(still ?? notFound(), { headers: { 'content-type': 'image/jpeg' } })
  })
  app.notFound(() => problemReply(new UsageError('There is nothing at this address.')))
  const listener = appListener(app, say)
  const { servers, names } = await listen({ host: '127.0.0.1', port, trusted: [] }, own => guarded(() => own, listener))
  return { url: `http://${names.own[0]}/${token}/`, close: () => closeServers(servers) }
}
