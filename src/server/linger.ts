import type { IncomingMessage } from 'node:http'

const patience = 30_000 // milliseconds that a client may go on sending after it was refused

// A refusal of a request whose body is still coming. Many clients send all of it before they read a word: cut off meanwhile, they
// would see a broken connection and no reason. The reply goes out at once, and the rest of the body is read and dropped.
export function linger(reply: Response, incoming: IncomingMessage): Response | Promise<Response> {
  if (reply.status < 400 || incoming.complete || incoming.method === 'GET' || incoming.method === 'HEAD') return reply
  return reply.arrayBuffer().then(body => {
    const stream = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new Uint8Array(body)),
      async pull(controller) {
        await rest(incoming)
        controller.close()
      },
    })
    const headers = new Headers(reply.headers)
    headers.set('content-length', String(body.byteLength)) // the client need not wait for the end of the stream
    return new Response(stream, { status: reply.status, headers })
  })
}

function rest(incoming: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, patience)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    for (const event of ['end', 'close', 'error']) incoming.once(event, end)
    incoming.removeAllListeners('data') // whoever read it before would pause it
    incoming.on('data', () => {}).resume()
  })
}
