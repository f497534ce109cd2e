import type { ServerEvent } from '../../../src/core/api/routes.ts'

const quiet = 15_000 // milliseconds after which a comment keeps the connection alive

// Events of the API as text/event-stream.
export function eventStream(events: AsyncIterable<ServerEvent>, stop: () => void): ReadableStream<Uint8Array> {
  return textStream(eventTexts(events), stop)
}

async function* eventTexts(events: AsyncIterable<ServerEvent>): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  for await (const event of events) yield eventText(event)
}

// Blocks of text/event-stream. The next one is read when the client has taken the last: nothing is buffered for a slow reader.
export function textStream(
  texts: AsyncIterable<string>,
  stop: () => void,
  quietTime = quiet,
): ReadableStream<Uint8Array> {
  const iterator = texts[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<string>> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= iterator.next()
        let timer: NodeJS.Timeout | undefined
        const silence = new Promise<undefined>(resolve => {
          timer = setTimeout(() => resolve(undefined), quietTime)
        })
        const result = await Promise.race([next, silence]).finally(() => clearTimeout(timer))
        if (!result) return controller.enqueue(encoder.encode(': keep-alive\n\n'))
        next = undefined
        if (result.done) controller.close()
        else controller.enqueue(encoder.encode(result.value))
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
