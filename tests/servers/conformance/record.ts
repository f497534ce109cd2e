import { createServer, request as send } from 'node:http'
import { askedOf, bytesOf, type Exchange, listen } from '../recorded-server.ts'

interface Recorder {
  url: string
  take(): Exchange[] // what has passed since the last take
  close(): Promise<void>
}

const keptHeaders = ['content-type', 'retry-after', 'server', 'location', 'www-authenticate']

// A server on loopback that hands every request on to a real one and keeps what passes by.
export async function startRecorder(target: string): Promise<Recorder> {
  let exchanges: Exchange[] = []
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request)
    const { method = 'GET', url: path = '/' } = request
    const headers = { ...request.headers, host: new URL(target).host }
    const passedOn = send(`${target}${path}`, { method, headers }, async reply => {
      const status = reply.statusCode ?? 0
      const exchange: Exchange = {
        method,
        path,
        ...(body.length > 0 && { asked: askedOf(body.toString()) }),
        status,
        headers: Object.fromEntries(
          keptHeaders.flatMap(name => (reply.headers[name] ? [[name, `${reply.headers[name]}`]] : [])),
        ),
        pieces: [],
        whole: false,
      }
      exchanges.push(exchange)
      response.writeHead(status, reply.headers)
      response.on('close', () => reply.destroy())
      reply.on('error', () => response.destroy())
      reply.on('data', (piece: Buffer) => {
        exchange.pieces.push(pieceOf(piece))
        response.write(piece)
      })
      reply.on('end', () => {
        exchange.whole = true
        response.end()
      })
    })
    passedOn.on('error', () => response.destroy())
    passedOn.end(body)
  })
  const { url, close } = await listen(server)
  return {
    url,
    close,
    take() {
      const recorded = exchanges.map(one => (one.whole ? one : { ...one, pieces: one.pieces.slice(0, 80) }))
      exchanges = []
      return recorded
    },
  }
}

function pieceOf(bytes: Buffer): Exchange['pieces'][number] {
  const words = bytes.toString()
  if (!Buffer.from(words).equals(bytes)) return { base64: bytes.toString('base64') }
  return words.replace(/\/(?:work|root|home|tmp|usr)\/[^\s"'\\:,]*\//g, '/models/')
}
