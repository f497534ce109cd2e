import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limitPauses } from './body-time.ts'

let close = () => {}
afterEach(() => close())

// A client that sends so many bytes every 50 milliseconds; it is told when it is cut off.
async function dripping(bytes: number, take: (request: IncomingMessage) => void): Promise<Socket> {
  const server = createServer(request => {
    limitPauses(request, 200)
    take(request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n')
  const timer = setInterval(() => socket.writable && socket.write(Buffer.alloc(bytes)), 50)
  close = () => {
    clearInterval(timer)
    socket.destroy()
    server.closeAllConnections()
    server.close()
  }
  return socket
}

const closedWithin = (socket: Socket, milliseconds: number) =>
  Promise.race([
    new Promise<boolean>(resolve => socket.once('close', () => resolve(true))),
    new Promise<boolean>(resolve => setTimeout(() => resolve(false), milliseconds)),
  ])

test('an upload that comes in drops is ended', async () => {
  expect(await closedWithin(await dripping(100, request => request.resume()), 5000)).toBe(true)
})

test('one that keeps coming is not, however long it takes, nor one that waits for us', async () => {
  expect(await closedWithin(await dripping(200_000, request => request.resume()), 1500)).toBe(false)
  close()
  expect(await closedWithin(await dripping(200_000, () => {}), 1500)).toBe(false)
})
