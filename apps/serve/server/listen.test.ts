import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { Refused } from '../../../src/core/api/problem.ts'
import { appListener } from './listen.ts'
import type { Serves } from './mount.ts'

test('a client that sends its whole body before it reads gets the refusal, and the connection stays usable', async () => {
  const app = new Hono<Serves>()
  app.post('/uploads', async ({ req }) => {
    for await (const piece of req.raw.body ?? []) if (piece) throw new Refused('too_large', 'Too large.') // after the first one
    return new Response()
  })
  app.get('/', () => new Response('here'))
  const server = createServer(appListener(app, () => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let failed: unknown
  let said = ''
  socket.on('error', error => {
    failed = error
  })
  socket.setEncoding('utf8').on('data', piece => {
    said += piece
  })
  const piece = Buffer.alloc(32_000, 'x')
  socket.write(`POST /uploads HTTP/1.1\r\nHost: h\r\nContent-Length: ${50 * piece.length}\r\n\r\n`)
  for (let at = 0; at < 50; at++) {
    socket.write(piece)
    await sleep(14)
    if (at === 20) expect(said, 'while it still sends').toContain('413')
  }
  socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  await new Promise(resolve => socket.once('close', resolve))
  expect(failed).toBeUndefined()
  expect(said).toMatch(/^HTTP\/1\.1 413 .*Too large.*HTTP\/1\.1 200 .*here$/s)
  server.close()
})
