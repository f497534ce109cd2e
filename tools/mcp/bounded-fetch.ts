import { maxMessage, maxTotal, TooMuchError } from './limits.ts'

// fetch whose bodies are bounded while they are read: a reply is one message, an event stream many.
export function boundedFetch(leave: (reason: TooMuchError) => void) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (!response.body) return response
    const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    const count = counter(isStream)
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          const reason = count(piece)
          if (reason) {
            controller.error(reason)
            leave(reason)
          } else controller.enqueue(piece)
        },
      }),
    )
    const bounded = new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
    // Where it came from decides what a redirect may do.
    for (const name of ['url', 'redirected'] as const) Object.defineProperty(bounded, name, { value: response[name] })
    return bounded
  }
}

function counter(isStream: boolean): (piece: Uint8Array) => TooMuchError | undefined {
  let total = 0
  let message = 0
  let lineIsEmpty = false
  return piece => {
    total += piece.length
    for (const byte of isStream ? piece : []) {
      message++
      if (byte === 0x0a && lineIsEmpty) message = 0 // an empty line ends an event
      if (byte !== 0x0d) lineIsEmpty = byte === 0x0a
      if (message > maxMessage) break
    }
    if ((isStream ? message : total) > maxMessage) return new TooMuchError('a message', maxMessage)
    return total > maxTotal ? new TooMuchError('in all', maxTotal) : undefined
  }
}
