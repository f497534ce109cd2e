import type { ServerEvent } from '../core/api/routes.ts'

const quiet = 15_000 // milliseconds after which a comment keeps the connection alive

// Events as text/event-stream. The next one is read when the client has taken the last: nothing is buffered for a slow reader.
export function eventStream(events: AsyncIterable<ServerEvent>, stop: () => void): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<ServerEvent>> | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 1000\n\n'))
      },
      async pull(controller) {
        next ??= iterator.next()
        let timer: NodeJS.Timeout | undefined
        const silence = new Promise<undefined>(resolve => {
          timer = setTimeout(() => resolve(undefined), quiet)
        })
        const result = await Promise.race([next, silence]).finally(() => clearTimeout(timer))
        if (!result) return controller.enqueue(encoder.encode(': keep-alive\n\n'))
        next = undefined
        if (result.done) controller.close()
        else controller.enqueue(encoder.encode(eventText(result.value)))
      },
      async cancel() {
        stop()
        await iterator.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}

// JSON holds no line break, so that the data are one line.
function eventText({ id, event, data }: ServerEvent): string {
  const head = [...(id === undefined ? [] : [`id: ${id}`]), ...(event === undefined ? [] : [`event: ${event}`])]
  return `${[...head, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`
}
