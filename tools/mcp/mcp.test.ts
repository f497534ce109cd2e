import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { handMadeContext, handMadeIndex } from '../../tests/agent/hand-made-index.ts'
import { museum } from '../../tests/agent/museum.ts'
import { notesServer } from '../../tests/tools/mcp-server.ts'
import { openToolServer, type ToolServer } from './server-tools.ts'

const file = join(import.meta.dirname, '..', '..', 'tests', 'tools', 'mcp-server.ts')
const patience = { seconds: 1, startSeconds: 20, safe: false }
const stdio = {
  name: 'notes',
  command: process.execPath,
  args: ['--import', import.meta.resolve('tsx'), file, '--stdio'],
  environment: { NOTES_FOLDER: '/notes' },
  ...patience,
}
const context = handMadeContext(handMadeIndex(museum))
const toolOf = (server: ToolServer, name: string) => {
  const tool = server.tools.find(one => one.name === name)
  if (!tool) throw new Error(`no ${name}`)
  return tool
}

describe('a tool server on a pipe', () => {
  let server: ToolServer
  beforeAll(async () => {
    server = await openToolServer(stdio)
  })
  afterAll(() => server.close())

  test('its tools carry its name, its schema and the permission that they need', () => {
    expect(server.tools.map(tool => tool.name)).toContain('notes_echo')
    const echo = toolOf(server, 'notes_echo')
    expect(echo.danger).toBe('servers')
    expect(echo.description).toContain('not from the video')
    expect(z.toJSONSchema(echo.input, { io: 'input' })).toMatchObject({
      type: 'object',
      properties: { words: { type: 'string' } },
      required: ['words'],
    })
  })

  test('what it says is text and no evidence', async () => {
    expect(await toolOf(server, 'notes_echo').run({ words: 'a word' }, context)).toEqual({
      evidence: [],
      text: 'echo: a word',
      outcome: 'found',
    })
    expect((await toolOf(server, 'notes_floods').run({}, context)).text?.length).toBeLessThan(20_100)
  })

  test('it sees no secrets of ours, only the variables that the settings name', async () => {
    process.env.LONGTAKE_TEST_TOKEN = 'canary'
    const { text } = await toolOf(server, 'notes_seen').run({}, context)
    delete process.env.LONGTAKE_TEST_TOKEN
    expect(text).toContain('NOTES_FOLDER')
    expect(text).not.toContain('LONGTAKE')
  })

  test('an error of it, wrong arguments, silence and its death fail the call alone; the next call starts it again', async () => {
    await expect(toolOf(server, 'notes_fails').run({}, context)).rejects.toThrow(
      /notes_fails reports: the shelf is empty/,
    )
    await expect(toolOf(server, 'notes_echo').run({ words: 5 }, context)).rejects.toThrow(/notes/)
    await expect(toolOf(server, 'notes_hangs').run({}, context)).rejects.toThrow(/"notes" did not answer within 1 s/)
    await expect(toolOf(server, 'notes_dies').run({}, context)).rejects.toThrow(/tool server "notes" failed/)
    expect(await toolOf(server, 'notes_echo').run({ words: 'again' }, context)).toMatchObject({ text: 'echo: again' })
  })

  test('the one who waits can stop it', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 100)
    const began = performance.now()
    await expect(toolOf(server, 'notes_hangs').run({}, { ...context, signal: stop.signal })).rejects.toThrow()
    expect(performance.now() - began).toBeLessThan(800)
  })
})

describe('a tool server that cannot be used', () => {
  test('says what does not start, with the setting to look at', async () => {
    await expect(openToolServer({ ...stdio, command: 'no-such-program' })).rejects.toThrow(
      /"notes" could not be reached/,
    )
    const died = openToolServer({ ...stdio, args: ['-e', 'console.error("bad day"); process.exit(2)'] })
    await expect(died).rejects.toThrow(/It said: bad day/)
    await expect(
      openToolServer({ ...stdio, args: ['-e', 'setTimeout(() => {}, 9e6)'], startSeconds: 0.5 }),
    ).rejects.toThrow(/notes/)
    await expect(openToolServer({ name: 'web', url: 'http://127.0.0.1:9/mcp', ...patience })).rejects.toThrow(
      /"web" could not be reached/,
    )
  })
})

describe('a tool server over HTTP', () => {
  test('is asked like one on a pipe, and marked safe needs no permission', async () => {
    const handler = createMcpHandler(() => notesServer())
    const keys: (string | undefined)[] = []
    const http = createServer(async (request, response) => {
      keys.push(request.headers.authorization)
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const body = pieces.length > 0 ? Buffer.concat(pieces) : undefined
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const answer = await handler.fetch(
        new Request(`http://localhost${request.url}`, { method: request.method, headers, body }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      for await (const piece of answer.body ?? []) response.write(piece)
      response.end()
    })
    await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    const server = await openToolServer({ name: 'web', url, key: 'k-1', ...patience, safe: true })
    try {
      const echo = toolOf(server, 'web_echo')
      expect(echo.danger).toBeUndefined()
      expect(await echo.run({ words: 'hi' }, context)).toMatchObject({ text: 'echo: hi' })
      await expect(toolOf(server, 'web_hangs').run({}, context)).rejects.toThrow(/did not answer within 1 s/)
      expect(keys.every(key => key === 'Bearer k-1')).toBe(true)
    } finally {
      await server.close()
      await handler.close()
      http.closeAllConnections()
      http.close()
    }
  })
})
