import { spawn } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')

export type Era = 'legacy' | 'modern'

export interface Host {
  client: Client
  pid?: number
  said(): string // on stderr
  close(): Promise<void>
}

const name = { name: 'test', version: '1' }
const optionsOf = (era: Era, more: ClientOptions = {}): ClientOptions => ({
  ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }),
  ...more,
})

// A host that starts `longtake mcp` itself.
export async function stdioHost(home: string, args: string[], era: Era, more?: ClientOptions): Promise<Host> {
  const env = { ...environment(home) }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    env,
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', piece => {
    said += piece
  })
  const client = new Client(name, optionsOf(era, more))
  await client.connect(transport)
  return { client, pid: transport.pid ?? undefined, said: () => said, close: () => client.close() }
}

export async function httpHost(url: string, token: string, era: Era, more?: ClientOptions): Promise<Host> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const client = new Client(name, optionsOf(era, more))
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return { client, said: () => '', close: () => client.close() }
}

export function environment(home: string): Record<string, string> {
  const { LONGTAKE_CONFIG: _, ...rest } = process.env
  return { ...(rest as Record<string, string>), LONGTAKE_HOME: home, CI: 'true' }
}

export const Reply = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), data: z.string().optional() })),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().optional(),
})
export type Reply = z.infer<typeof Reply>

export interface Called {
  text: string
  data: Record<string, unknown>
  isError: boolean
  pictures: Buffer[]
  progress: string[]
  seconds: number
}

// A call as a host makes it: each progress begins its time-out anew.
export async function call({ client }: Host, tool: string, args: object, more: object = {}): Promise<Called> {
  const progress: string[] = []
  const began = performance.now()
  const reply = Reply.parse(
    await client.callTool(
      { name: tool, arguments: { ...args } },
      { resetTimeoutOnProgress: true, onprogress: ({ message }) => progress.push(message ?? ''), ...more },
    ),
  )
  return {
    text: reply.content.map(({ text = '' }) => text).join('\n'),
    data: reply.structuredContent ?? {},
    isError: reply.isError ?? false,
    pictures: reply.content.flatMap(({ type, data = '' }) => (type === 'image' ? [Buffer.from(data, 'base64')] : [])),
    progress,
    seconds: (performance.now() - began) / 1000,
  }
}

// `longtake mcp` without a client: what it writes line by line.
export function rawHost(home: string, args: string[]) {
  const child = spawn(process.execPath, [bin, 'mcp', ...args], {
    env: environment(home),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let said = ''
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(line)
    for (const go of waiting.splice(0)) go()
  })
  child.stderr.setEncoding('utf8').on('data', piece => {
    said += piece
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(resolve =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  return {
    lines,
    said: () => said,
    write: (text: string) => child.stdin.write(text),
    send: (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    async line(at: number): Promise<unknown> {
      while (lines.length <= at) await new Promise<void>(go => waiting.push(go))
      return JSON.parse(lines[at] ?? '')
    },
    closeInput: () => child.stdin.end(),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    ended,
  }
}

// A chat model that keeps its first caller waiting, and has nothing to say then.
export async function slowModel(seconds: number) {
  const waiting = new Set<ServerResponse>()
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    const message = { role: 'assistant', content: 'Nothing more is needed.' }
    const body = request.url?.endsWith('/models')
      ? { object: 'list', data: [{ id: 'm', object: 'model' }] }
      : {
          model: 'm',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        }
    const answer = () => {
      waiting.delete(response)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    }
    if (request.url?.endsWith('/models') || asked++ > 0) return answer()
    waiting.add(response)
    setTimeout(answer, seconds * 1000).unref()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    settings: ['planner.backend=openai', `planner.url=${url}`, 'planner.model=m'].flatMap(one => [
      '--set',
      `models.${one}`,
    ]),
    asked: () => asked,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
