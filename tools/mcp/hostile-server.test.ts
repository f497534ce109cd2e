import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { handMadeContext, handMadeIndex } from '../../tests/agent/hand-made-index.ts'
import { museum } from '../../tests/agent/museum.ts'
import { openToolServer, type ToolServer } from './server-tools.ts'

const program = join(import.meta.dirname, '..', '..', 'tests', 'tools', 'raw-mcp-server.mjs')
const context = handMadeContext(handMadeIndex(museum))
const stdio = (mode: string, ...more: string[]) => ({
  name: 'raw',
  command: process.execPath,
  args: [program, mode, ...more],
  environment: {},
  seconds: 20,
  startSeconds: 20,
  safe: false,
})

let folder: string
let server: ToolServer | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longtake-mcp-'))
})
afterEach(async () => {
  await server?.close()
  server = undefined
})
afterAll(() => rmSync(folder, { recursive: true }))

const inTime = async <T>(work: Promise<T>, seconds: number): Promise<T> => {
  const began = performance.now()
  try {
    return await work
  } finally {
    expect((performance.now() - began) / 1000).toBeLessThan(seconds)
  }
}

describe('a tool server on a pipe', () => {
  test.each([
    ['writes a line without end', 'line', /sent more than 4 MB in one message/],
    ['floods with notifications', 'flood', /sent more than 8 MB without an end/],
    ['has a schema that is too deep', 'deep', /raw_deep has an input schema that is too large or too deep/],
    ['has a schema that is too large', 'large', /raw_large has an input schema that is too large/],
    ['has two names that become one', 'names', /offers two tools that would both be called "raw_a_b"/],
  ])('that %s is left, with the reason', async (_, mode, message) => {
    const before = process.memoryUsage().rss
    await inTime(expect(openToolServer(stdio(mode))).rejects.toThrow(message), 15)
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6)
  })

  test('that says nothing is given the time that the settings give, and the message names it', async () => {
    await expect(openToolServer({ ...stdio('silent'), startSeconds: 1 })).rejects.toThrow(/did not answer within 1 s/)
  })

  test('cannot offer a tool that would be called like one of longtake, however it is written', async () => {
    const verify = { ...stdio('builtIn'), name: 'verify' }
    await expect(openToolServer(verify, new Set(['verify_claim']))).rejects.toThrow(
      /"verify_Claim", as one of longtake/,
    )
  })

  test('has its texts and schemas cleaned of what steers a terminal or runs a pattern', async () => {
    server = await openToolServer(stdio('escapes'))
    const [tool] = server.tools
    expect(tool!.description).toMatch(/^red \[31m gnp\.exe zero width 2J/)
    const schema = z.toJSONSchema(tool!.input, { io: 'input' })
    expect(schema).toMatchObject({ properties: { a: { description: ']0;owned' }, pattern: { $ref: '#/$defs/t' } } })
    expect(JSON.stringify(schema)).not.toMatch(/a\+|127\.0\.0\.1|\\u001b/)
  })

  test('cannot make us run a pattern of its own on its answer', async () => {
    server = await openToolServer(stdio('output'))
    const answer = await inTime(server.tools[0]!.run({}, context), 3)
    expect(answer.text).toContain('aaaa')
  })

  test('that ends in the middle of a call fails the call at once, though its child holds the pipe', async () => {
    const file = join(folder, 'leaves')
    server = await openToolServer(stdio('leaves', file))
    await inTime(expect(server.tools[0]!.run({}, context)).rejects.toThrow(/"raw" failed/), 5)
    await vi.waitFor(() => expect(isAlive(file)).toBe(false), 5000)
  })

  test.each(['works', 'stays'])('leaves no process behind when it is closed (%s)', async mode => {
    const file = join(folder, mode)
    const opened = await openToolServer(stdio(mode, file))
    expect(await opened.tools[0]!.run({}, context)).toMatchObject({ text: 'done' })
    expect(isAlive(file)).toBe(true)
    await inTime(opened.close(), 4)
    await vi.waitFor(() => expect(isAlive(file)).toBe(false), 5000)
  })
})

function isAlive(file: string): boolean {
  if (!existsSync(file)) return false
  const pid = readFileSync(file, 'utf8')
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

describe('a tool server over HTTP', () => {
  const endless = (response: ServerResponse, piece: string) => {
    const write = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  }
  test.each([
    [
      'a body without end',
      'application/json',
      '{"jsonrpc":"2.0","id":1,"result":{"tools":[',
      ' '.repeat(65_536),
      /4 MB in one message/,
    ],
    ['an event without end', 'text/event-stream', 'data: ', 'x'.repeat(65_536), /4 MB in one message/],
    ['an event of lines without end', 'text/event-stream', '', `data: ${'x'.repeat(1000)}\r\n`, /4 MB in one message/],
    [
      'events without end',
      'text/event-stream',
      '',
      `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${'x'.repeat(1000)}"}}\n\n`,
      /8 MB without an end/,
    ],
    ['comments without end', 'text/event-stream', '', ': ping\n\n', /8 MB without an end/],
  ])('is left when its list of tools is %s', async (_, type, begin, piece, message) => {
    const http = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', part => parts.push(part))
      request.on('end', () => {
        const { id, method, params } = JSON.parse(Buffer.concat(parts).toString() || '{}')
        if (method === 'initialize') {
          const result = {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'raw', version: '1' },
          }
          response.writeHead(200, { 'content-type': 'application/json' })
          return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
        }
        if (method === 'server/discover') {
          response.writeHead(200, { 'content-type': 'application/json' })
          return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }))
        }
        if (method !== 'tools/list') return response.writeHead(request.method === 'GET' ? 405 : 202).end()
        response.writeHead(200, { 'content-type': type })
        response.write(begin)
        endless(response, piece.repeat(Math.ceil(65_536 / piece.length)))
      })
    })
    await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    const before = process.memoryUsage().rss
    try {
      const opening = openToolServer({ name: 'web', url, seconds: 30, startSeconds: 30, safe: false })
      await inTime(expect(opening).rejects.toThrow(message), 15)
      expect(process.memoryUsage().rss - before).toBeLessThan(400e6)
    } finally {
      http.closeAllConnections()
      http.close()
    }
  })
})
