import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const bin = join(import.meta.dirname, '..', '..', 'bin', 'longtake.mjs')

const Launch = z.strictObject({
  schemaVersion: z.literal(1),
  event: z.literal('launch'),
  url: z.string(),
  api: z.string(),
  mcp: z.string(),
  openai: z.string(),
  token: z.string().min(43),
})

export interface Reply {
  status: number
  headers: Headers
  json: unknown
}

export interface Serving {
  api: string
  openai: string
  mcp: string
  origin: string
  port: number
  pid: number
  token: string
  said(): string // on stderr
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  kill(): Promise<void> // -9
  stop(): Promise<number | null> // SIGTERM
}

// The server as a person starts it, in a process of its own.
export async function startServer(
  args: string[],
  home: string,
  environment: Record<string, string> = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json', ...args], {
    env: { ...process.env, LONGTAKE_HOME: home, LONGTAKE_CONFIG: undefined, CI: 'true', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', piece => {
    said += piece
  })
  let printed = '' // a launch is one line, an error several
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const line = await Promise.race([
    new Promise<string>(resolve =>
      createInterface({ input: child.stdout }).on('line', line => {
        if (line.includes('"event":"launch"')) resolve(line)
        else printed += line
      }),
    ),
    ended.then(code => Promise.reject(new Error(`The server ended with ${code}: ${said}${printed}`))),
  ])
  const { api, openai, mcp, token } = Launch.parse(JSON.parse(line))
  const { origin, port } = new URL(api)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return {
    ...{ api, openai, mcp, token, origin, port: Number(port), pid: child.pid ?? 0, said: () => said },
    async call(method, path, body, headers = {}) {
      const response = await fetch(path.startsWith('/media') ? `${origin}${path}` : `${api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : text }
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

// A request byte by byte, as no client would send it; the reply as text.
export function raw(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(port, host, () => socket.write(text))
    socket.setEncoding('utf8').on('data', piece => {
      said += piece
    })
    socket.on('error', reject).on('close', () => resolve(said))
    socket.setTimeout(5000, () => socket.destroy())
  })
}

export interface Heard {
  id?: string
  event?: string
  data: unknown
}

// Events as they come, until the one for which `last` is true, or the end.
export async function listen(
  address: string,
  headers: Record<string, string>,
  last: (event: Heard) => boolean = () => false,
): Promise<Heard[]> {
  const response = await fetch(address, { headers })
  if (response.status !== 200) throw new Error(`The events are refused with ${response.status}.`)
  const heard: Heard[] = []
  let rest = ''
  for await (const piece of response.body ?? []) {
    const blocks = (rest + Buffer.from(piece).toString('utf8')).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map(line => [line.split(': ', 1)[0], line.replace(/^\w*: /, '')]))
      const data = fields.get('data')
      if (data === undefined) continue
      heard.push({ id: fields.get('id'), event: fields.get('event'), data: JSON.parse(data) })
      if (last(heard.at(-1) as Heard)) return heard // which ends the connection
    }
  }
  return heard
}
