import type { IncomingMessage } from 'node:http'
import { BackendError } from '../../../../src/core/errors.ts'
import type { S3Client } from './client.ts'
import { isPassing, PassingFault } from './refusal.ts'

interface Begun {
  response: IncomingMessage
  at: number // of the object
  bytes: number // to come
}

// The body of an object. Where the connection is cut it goes on at the byte it had reached, of the same version of the object.
export const readOn = {
  async begin(client: S3Client, key: string, range?: { start: number; end: number }): Promise<Begun | undefined> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end - 1}` } : {}
    const response = await client.send({ method: 'GET', key, headers, accept: [404] })
    if (response.statusCode !== 404) return begun(client, response, range?.start ?? 0)
    response.resume()
    return undefined
  },

  async *bytes(client: S3Client, key: string, { response: first, at, bytes }: Begun): AsyncIterable<Uint8Array> {
    const { etag } = first.headers
    let response: IncomingMessage | undefined = first
    let read = 0
    for (let faults = 0; ; ) {
      try {
        if (!response) {
          const headers = { range: `bytes=${at + read}-${at + bytes - 1}`, ...(etag && { 'if-match': etag }) }
          ;({ response } = begun(client, await client.send({ method: 'GET', key, headers }), at + read))
        }
        for await (const piece of response as AsyncIterable<Uint8Array>) {
          read += piece.length
          faults = 0
          yield piece
        }
        if (read < bytes) throw new PassingFault(`it ended after ${read} of ${bytes} bytes`)
        return
      } catch (error) {
        if (!isPassing(error) || ++faults > 5) throw faults > 5 ? cutShort(client, key, read, bytes, error) : error
        response = undefined
      }
    }
  },
}

function begun({ bucket }: S3Client, response: IncomingMessage, at: number): Begun {
  const { 'content-length': length, 'content-range': range } = response.headers
  const from = Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? 0)
  if (length === undefined || from !== at)
    throw new BackendError(`The store ${bucket.address} does not give the part of an object that it is asked for.`, {
      hint: 'Its server must answer requests with a Range, and say how many bytes it sends.',
    })
  return { response, at, bytes: Number(length) }
}

function cutShort({ bucket }: S3Client, key: string, read: number, bytes: number, cause: unknown): BackendError {
  return new BackendError(
    `The store ${bucket.address} cuts ${key} off after ${read} of ${bytes} bytes, again and again.`,
    {
      hint: 'Check the server and the network between; finished work is kept.',
      retryable: true,
      cause,
    },
  )
}
