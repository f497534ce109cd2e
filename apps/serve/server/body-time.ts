import type { IncomingMessage } from 'node:http'

const wholeBody = 60_000 // milliseconds in which a request must be there
const window = 30_000 // milliseconds of an upload, in each of which so many bytes must come
const leastBytes = 64 * 1024

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

// Ends the connection of a client that does not finish its request.
export function limitBody(request: IncomingMessage): void {
  keep(
    request,
    setTimeout(() => end(request), wholeBody),
  )
}

// An upload takes as long as it takes, while its bytes keep coming. What waits for our disk is not held against the client.
export function limitPauses(request: IncomingMessage, pause = window): void {
  let seen = request.socket.bytesRead
  const look = () => {
    const came = request.socket.bytesRead - seen
    seen = request.socket.bytesRead
    if (came < leastBytes && request.readableLength === 0) end(request)
  }
  keep(request, setInterval(look, pause))
}

function keep(request: IncomingMessage, timer: NodeJS.Timeout): void {
  clearTimeout(timers.get(request))
  timers.set(request, timer)
  for (const event of ['end', 'close', 'error']) request.once(event, () => clearTimeout(timer))
}

function end(request: IncomingMessage): void {
  if (!request.complete) request.socket.destroy()
}
