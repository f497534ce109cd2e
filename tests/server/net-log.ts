import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Entry = z.object({ type: z.number(), source: z.object({ id: z.number() }), params: z.looseObject({}).optional() })
const NetLog = z.object({
  constants: z.object({ logEventTypes: z.record(z.string(), z.number()) }),
  events: z.array(Entry),
})

export interface Sent {
  method: string
  url: string
  status?: number // absent: it was never answered, or the browser itself stopped it
}

// Every request that Chromium really sent, also those of which no page and no tool hears: preflights, beacons, pings, sockets. Started
// with --log-net-log=FILE, it writes the file when it is closed.
export function readNetLog(file: string): Sent[] {
  const { constants, events } = NetLog.parse(JSON.parse(readFileSync(file, 'utf8')))
  const type = (name: string) => constants.logEventTypes[name] ?? -1
  const [began, answered, refused] = [
    type('URL_REQUEST_START_JOB'),
    type('HTTP_TRANSACTION_READ_RESPONSE_HEADERS'),
    type('WEBSOCKET_UPGRADE_FAILURE'),
  ]
  const sent: (Sent & { source: number })[] = []
  for (const { type, source, params } of events) {
    const last = sent.findLast(one => (type === refused ? one.url.startsWith('ws') : one.source === source.id))
    const text = z.string().catch('')
    if (type === began && params?.url)
      sent.push({ source: source.id, method: text.parse(params.method), url: text.parse(params.url) })
    else if (type === answered && last)
      last.status = Number(z.array(z.string()).catch([]).parse(params?.headers)[0]?.split(' ')[1])
    else if (type === refused && last) last.status = Number(/code: (\d+)/.exec(text.parse(params?.message))?.[1])
  }
  return sent
}
