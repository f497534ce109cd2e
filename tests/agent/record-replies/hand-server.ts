import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

interface Part {
  type: string
  text?: string
  image_url?: { url: string }
}

interface Request {
  messages: { role: string; content: string | Part[] | null; tool_calls?: unknown }[]
  tools?: unknown
  response_format?: unknown
}

// An OpenAI-compatible model that a person is: each request becomes FOLDER/N.md with its pictures beside it, and is answered by FOLDER/N.json:
// {"content": "...", "tool_calls": [{"name": "view", "arguments": {...}}]}
export async function serveByHand(folder: string, port: number, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true })
  let count = 0
  const server = createServer(async (asked, answered) => {
    answered.setHeader('content-type', 'application/json')
    if (asked.method === 'GET') return answered.end(JSON.stringify({ data: [{ id: 'by-hand-70b' }] }))
    const number = String(++count).padStart(3, '0')
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk)
    await writeRequest(JSON.parse(Buffer.concat(chunks).toString()), folder, number)
    console.error(`${number}.md waits for ${number}.json`)
    const { content = '', tool_calls = [] } = await readReply(join(folder, `${number}.json`), signal)
    const calls = tool_calls.map((call, at) => ({
      id: `call_${number}_${at}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }))
    const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
    const choices = [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }]
    answered.end(JSON.stringify({ id: number, object: 'chat.completion', model: 'by-hand-70b', choices }))
  })
  server.listen(port, '127.0.0.1')
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  server.closeAllConnections()
  server.close()
}

async function writeRequest({ messages, tools, response_format }: Request, folder: string, number: string) {
  const lines: string[] = []
  let pictures = 0
  for (const { role, content, tool_calls } of messages) {
    lines.push(`## ${role}`)
    for (const part of typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])) {
      const [, base64] = /^data:[^,]*;base64,(.*)$/.exec((part as Part).image_url?.url ?? '') ?? []
      if (base64 === undefined) lines.push(part.text ?? '')
      else {
        const file = `${number}-${++pictures}.jpg`
        await writeFile(join(folder, file), Buffer.from(base64, 'base64'))
        lines.push(`![](${file})`)
      }
    }
    if (tool_calls) lines.push(JSON.stringify(tool_calls, null, 1))
  }
  lines.push('## tools', JSON.stringify({ tools, response_format }, null, 1))
  await writeFile(join(folder, `${number}.md`), lines.join('\n'))
}

async function readReply(file: string, signal: AbortSignal) {
  for (;;) {
    const reply = await readFile(file, 'utf8').catch(() => undefined)
    if (reply !== undefined)
      return JSON.parse(reply) as { content?: string; tool_calls?: { name: string; arguments: unknown }[] }
    await wait(300, undefined, { signal })
  }
}
