import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Host } from '../../src/core/backend.ts'
import { BackendError, InterruptedError } from '../../src/core/errors.ts'
import { type FaultServer, startFaultServer } from '../../tests/servers/fault-server.ts'
import { RequestLimits } from './limits.ts'
import { readReplyJson } from './read-json.ts'
import { openServer, type Server } from './server.ts'

const SECRET = 'sk-canary-7351'
const Shape = z.object({ ok: z.string() })
const never = new AbortController().signal
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close()
})

async function start(
  limits: Partial<RequestLimits> = {},
  text = 'Grüße 🎬',
): Promise<{ fault: FaultServer; server: Server }> {
  const fault = await startFaultServer(() => ({
    status: 200,
    type: 'application/json',
    pieces: [Buffer.from(JSON.stringify({ ok: text }))],
  }))
  const server = open(fault.url, limits)
  opened.push(fault, server)
  return { fault, server }
}

function open(url: string, limits: Partial<RequestLimits> = {}): Server {
  const host: Host = { folder: '', environment: {}, signal: never, say: () => {} }
  const all = RequestLimits.parse({ backoffSeconds: 0.01, ...limits })
  return openServer({ name: 'chat/test', url, limits: all, key: SECRET, start: 'Start it with "test serve".' }, host)
}

const ask = (server: Server, signal = never) =>
  server.call(signal, async asking => (await readReplyJson(await asking.post('ask', { question: 1 }), Shape)).ok)

async function failing(server: Server): Promise<BackendError> {
  const error = await ask(server).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(BackendError)
  expect(`${(error as Error).message} ${(error as BackendError).hint}`).not.toContain(SECRET)
  return error as BackendError
}

describe('a server that behaves', () => {
  test('is asked with the key and answers whole', async () => {
    const { fault, server } = await start()
    expect(await ask(server)).toBe('Grüße 🎬')
    expect(fault.seen[0]).toMatchObject({ method: 'POST', path: '/ask', body: { question: 1 } })
    expect(fault.seen[0]!.headers.authorization).toBe(`Bearer ${SECRET}`)
  })

  test('may pack its reply or begin it with a byte order mark', async () => {
    const { fault, server } = await start()
    fault.misbehave({ fault: 'gzip' }, { fault: 'bom' })
    expect(await ask(server)).toBe('Grüße 🎬')
    expect(await ask(server)).toBe('Grüße 🎬')
  })

  test('fault 20: may be slow within the limit', async () => {
    const { fault, server } = await start({ attemptSeconds: 2, stallSeconds: 0.1 })
    fault.misbehave({ fault: 'slow', seconds: 0.3 })
    expect(await ask(server)).toBe('Grüße 🎬')
    expect(fault.seen).toHaveLength(1)
  })
})

describe('fault 20: a server that misbehaves and then behaves is asked again', () => {
  const passing: Parameters<FaultServer['misbehave']>[0][] = [
    { fault: 'status', status: 500 },
    { fault: 'status', status: 503, headers: { 'retry-after': '0' } },
    { fault: 'status', status: 429, headers: { 'retry-after': new Date().toUTCString() } },
    { fault: 'reset' },
    { fault: 'reset', after: 5 },
    { fault: 'truncate', after: 6 },
    { fault: 'stall', after: 4 },
    { fault: 'garbage' },
    { fault: 'empty' },
    { fault: 'wrong-schema' },
    { fault: 'bad-utf8' },
    { fault: 'broken-gzip' },
  ]
  for (const fault of passing) {
    const name = typeof fault === 'string' ? fault : Object.values(fault).slice(0, 2).join(' ')
    test(name, async () => {
      const started = await start({ stallSeconds: 0.2 })
      started.fault.misbehave(fault)
      expect(await ask(started.server)).toBe('Grüße 🎬')
      expect(started.fault.seen).toHaveLength(2)
    })
  }
})

describe('a server that keeps misbehaving ends in a sentence that says what and where', () => {
  test('fault 19: nothing listens: the URL and how to start it, after one more try', async () => {
    const port = await unusedPort()
    const error = await failing(open(`http://127.0.0.1:${port}`))
    expect(error.message).toMatch(
      `chat/test could not reach http://127.0.0.1:${port}: connection refused (tried 2 times`,
    )
    expect(error).toMatchObject({ exitCode: 4, retryable: true, hint: 'Start it with "test serve".' })
  })

  test('fault 19: a name that nobody knows', async () => {
    const error = await failing(open('http://no-such-host.invalid:8000'))
    expect(error.message).toContain('could not reach http://no-such-host.invalid:8000: its name is not known')
  })

  test('fault 20: 503 to the end', async () => {
    const { fault, server } = await start({ attempts: 3 })
    const down = { fault: 'status', status: 503, body: '{"error":{"message":"model is loading"}}' } as const
    fault.misbehave(down, down, down)
    const error = await failing(server)
    expect(error.message).toMatch(/answered 503 \(Service Unavailable\): model is loading \(tried 3 times in/)
    expect(error.retryable).toBe(true)
  })

  test('a status that no second try can mend is not asked again', async () => {
    const { fault, server } = await start()
    const cases: [number, RegExp][] = [
      [400, /see its message/],
      [401, /apiKeyEnv/],
      [404, /Check the URL/],
      [413, /smaller pictures/],
    ]
    for (const [status, hint] of cases) {
      fault.misbehave({ fault: 'status', status })
      const error = await failing(server)
      expect(error.message).toContain(`answered ${status}`)
      expect(error.hint).toMatch(hint)
      expect(error.retryable).toBe(false)
    }
    expect(fault.seen).toHaveLength(cases.length)
  })

  test("fault 20: a wait that is longer than the time there is: the server's wish is passed on", async () => {
    const { fault, server } = await start({ totalSeconds: 2 })
    fault.misbehave({ fault: 'status', status: 429, headers: { 'retry-after': '90' } })
    expect((await failing(server)).hint).toContain('It asks for a wait of 90 s.')
    expect(fault.seen).toHaveLength(1)
  })

  test("an error in an array, as Gemini's: its words and its retryDelay are read", async () => {
    const { fault, server } = await start({ totalSeconds: 2 })
    const error = { code: 429, message: 'You exceeded your quota.', details: [{ retryDelay: '16.2s' }] }
    fault.misbehave({ fault: 'status', status: 429, body: JSON.stringify([{ error }]) })
    const failed = await failing(server)
    expect(failed.message).toContain('answered 429 (Too Many Requests): You exceeded your quota.')
    expect(failed.hint).toContain('It asks for a wait of 17 s.')
    expect(fault.seen).toHaveLength(1)
    fault.misbehave({ fault: 'status', status: 200, body: JSON.stringify([{ error }]) })
    expect((await failing(server)).message).toContain('failed: You exceeded your quota.')
  })

  test('a redirect is not followed, so that the key goes nowhere else', async () => {
    const { fault, server } = await start()
    fault.misbehave({
      fault: 'status',
      status: 307,
      body: '',
      headers: { location: 'https://u:p@other.example/v1?x=1' },
    })
    const error = await failing(server)
    expect(error.hint).toBe('It points elsewhere, to https://other.example/v1: use that URL.')
    expect(fault.seen).toHaveLength(1)
  })

  test('a key that the server repeats is taken out of its words', async () => {
    const { fault, server } = await start()
    fault.misbehave({
      fault: 'status',
      status: 401,
      body: JSON.stringify({ error: { message: `Incorrect API key: ${SECRET}` } }),
    })
    expect((await failing(server)).message).toContain('Incorrect API key: [key]')
  })

  test('fault 21: a web page', async () => {
    const { fault, server } = await start()
    fault.misbehave({ fault: 'html' })
    const error = await failing(server)
    expect(error.message).toContain('answered with a web page')
    expect(fault.seen).toHaveLength(1)
  })

  test('fault 21: garbage twice: what it was, once more, then an error', async () => {
    const { fault, server } = await start()
    fault.misbehave({ fault: 'garbage' }, { fault: 'garbage' })
    expect((await failing(server)).message).toMatch(
      /something that is not JSON: "\{"choices": \[\}\} not json" \(tried 2 times/,
    )
  })

  test('fault 20: silence in the middle of a reply', async () => {
    const { fault, server } = await start({ stallSeconds: 0.1, attempts: 1 })
    fault.misbehave({ fault: 'stall', after: 3 })
    expect((await failing(server)).message).toContain('silent for 0.1 s in the middle of its reply')
  })

  test('fault 20: too slow', async () => {
    const { fault, server } = await start({ attemptSeconds: 0.2, attempts: 1 })
    fault.misbehave({ fault: 'slow', seconds: 3 })
    expect((await failing(server)).message).toContain('gave no whole answer within 0.2 s')
    await until(() => fault.open() === 0)
  })
})

describe('fault 21: what a server sends is bounded', () => {
  test('a reply without end is left at the limit', async () => {
    const { fault, server } = await start({ maxBytes: 1_000_000 })
    fault.misbehave({ fault: 'huge', bytes: 2_000_000_000 })
    const error = await failing(server)
    expect(error.message).toContain('longer than 1000000 bytes')
    expect(error.retryable).toBe(false)
    await until(() => fault.open() === 0)
  })

  test('a packed reply is measured unpacked, and never held whole', async () => {
    const { fault, server } = await start({ maxBytes: 1_000_000 })
    fault.misbehave({ fault: 'gzip-bomb', bytes: 1_000_000_000 })
    const before = process.memoryUsage().rss
    expect((await failing(server)).message).toContain('longer than 1000000 bytes')
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })
})

test('an interrupted call ends at once and closes its connection', async () => {
  const { fault, server } = await start()
  fault.misbehave({ fault: 'slow', seconds: 5 })
  const stop = new AbortController()
  const asked = ask(server, stop.signal)
  await until(() => fault.open() === 1)
  const began = performance.now()
  stop.abort()
  await expect(asked).rejects.toBeInstanceOf(InterruptedError)
  expect(performance.now() - began).toBeLessThan(1000)
  await until(() => fault.open() === 0)
})

function unusedPort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

async function until(holds: () => boolean): Promise<void> {
  const began = performance.now()
  while (!holds()) {
    if (performance.now() - began > 3000) throw new Error('waited 3 s in vain')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
