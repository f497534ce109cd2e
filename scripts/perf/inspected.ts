import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'undici'
import { z } from 'zod'
import { type Serving, startServer } from '../../tests/server/serving.ts'

const Answer = z.object({
  id: z.number(),
  result: z.looseObject({ result: z.looseObject({ value: z.unknown() }).optional() }).optional(),
})

export interface Inspected extends Serving {
  evaluate(expression: string): Promise<unknown> // in the server itself
  collect(): Promise<void> // its garbage
}

// The server with Node's inspector, through which it is looked at from inside: it has nothing in it for measuring.
export async function inspectedServer(args: string[], home: string): Promise<Inspected> {
  const server = await startServer(args, home, { NODE_OPTIONS: '--inspect=127.0.0.1:0' })
  const socket = new WebSocket(/ws:\/\/\S+/.exec(server.said())?.[0] ?? '')
  await new Promise(resolve => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  const send = (method: string, params: object = {}) =>
    new Promise<unknown>(resolve => {
      const id = ++last
      const hear = ({ data }: { data: unknown }) => {
        const answer = Answer.safeParse(JSON.parse(String(data)))
        if (answer.data?.id !== id) return
        socket.removeEventListener('message', hear)
        resolve(answer.data.result?.result?.value)
      }
      socket.addEventListener('message', hear)
      socket.send(JSON.stringify({ id, method, params }))
    })
  return {
    ...server,
    evaluate: expression => send('Runtime.evaluate', { expression, returnByValue: true }),
    async collect() {
      for (let time = 0; time < 2; time++) await send('HeapProfiler.collectGarbage')
      await sleep(1000) // V8 gives pages back a little later
    },
    stop() {
      socket.close()
      return server.stop()
    },
  }
}
