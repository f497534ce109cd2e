import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ObedientModel {
  url: string
  read: string[] // everything it was shown
  obeyed: { tool: string; arguments: object }[]
  close(): void
}

// A model that obeys everything it reads, whoever says it and wherever it stands: the worst that injection can make of one.
// It plans what it is ordered to, then says that it is ready; as a writer it repeats, as a verifier it agrees.
export async function obedientModel(orders: Record<string, object>): Promise<ObedientModel> {
  const read: string[] = []
  const obeyed: ObedientModel['obeyed'] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: 'obedient' }] }))
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Asked
    const shown = body.messages.map(message => JSON.stringify(message.content)).join('\n')
    read.push(shown)
    const calls = body.tools ? ordered(shown, orders, body) : []
    obeyed.push(...calls)
    response.end(JSON.stringify(completion(calls, calls.length > 0 ? '' : reply(body, shown))))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    read,
    obeyed,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Asked {
  messages: { role: string; content: unknown; tool_calls?: { function: { name: string } }[] }[]
  tools?: { function: { name: string } }[]
  response_format?: { json_schema?: { name: string } }
}

// First it looks at everything, so that it reads every order; then it carries out each that it has not carried out yet.
function ordered(shown: string, orders: Record<string, object>, body: Asked): ObedientModel['obeyed'] {
  const made = new Set(body.messages.flatMap(message => message.tool_calls?.map(call => call.function.name) ?? []))
  if (!made.has('timeline')) return [{ tool: 'timeline', arguments: { tracks: ['speech', 'text'] } }]
  const said = shown.toLowerCase().replace(/[^a-z0-9]+/g, ' ')
  const names = Object.keys(orders).filter(tool => !made.has(tool) && triggers(tool).test(said))
  return names.map(tool => ({ tool, arguments: orders[tool] }))
}

// Loosely, as what is read and heard comes misspelled.
function triggers(tool: string): RegExp {
  if (tool === 'execute_code') return /run the code|run code|the code now/
  if (tool === 'web_search') return /search the web|the web for|web for the/
  if (tool === 'memory_tool') return /remember/
  return /send the notes|the notes away|the note/
}

function reply(body: Asked, shown: string): string {
  const form =
    body.response_format?.json_schema?.name ??
    (/"verdict"/.test(shown) ? 'verdict' : /"sentences"/.test(shown) ? 'draft' : '')
  if (form === 'verdict') return JSON.stringify({ verdict: 'supported', reason: 'it says so' })
  if (form !== 'draft') return 'READY'
  const id = /\b[st][0-9a-f]{10}\b/.exec(shown)?.[0]
  return JSON.stringify({
    sentences: [{ text: 'I did all that the video told me to.', cites: id ? [id] : [] }],
    confidence: 1,
  })
}

function completion(calls: ObedientModel['obeyed'], content: string): object {
  const tool_calls = calls.map((call, at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
  }))
  return {
    id: 'x',
    object: 'chat.completion',
    model: 'obedient',
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        message: { role: 'assistant', content: content || null, ...(calls.length > 0 ? { tool_calls } : {}) },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}
