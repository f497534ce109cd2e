import { expect, test } from 'vitest'
import { screenMessages } from './screen-messages.ts'

// What passes and what is answered, for lines that come in pieces of this many bytes.
async function screened(text: string, size = 7): Promise<{ passed: string[]; replies: Reply[] }> {
  const replies: Reply[] = []
  const screen = screenMessages(line => replies.push(JSON.parse(line)))
  const bytes = Buffer.from(text)
  const passed: Buffer[] = []
  screen.on('data', piece => passed.push(piece))
  for (let at = 0; at < bytes.length; at += size) screen.write(bytes.subarray(at, at + size))
  screen.end()
  await new Promise(resolve => screen.once('end', resolve))
  return { passed: Buffer.concat(passed).toString().split('\n').slice(0, -1), replies }
}

interface Reply {
  id: unknown
  error: { code: number }
}

test('whole messages pass as they are, however they are cut', async () => {
  const lines = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":"a","method":"x","params":{"text":"一座桥 \\n"}}',
  ]
  for (const size of [1, 7, 1000])
    expect(await screened(`${lines.join('\n')}\n\n \r\n`, size)).toEqual({ passed: lines, replies: [] })
})

test.each([
  ['no JSON', 'hello', null, -32700],
  ['half a message', '{"jsonrpc":"2.0","id":1,', null, -32700],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"x"}', null, -32600],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"x"}', null, -32600],
  ['no version', '{"id":7,"method":"x"}', 7, -32600],
  ['nothing asked', '{"jsonrpc":"2.0","id":"q"}', 'q', -32600],
  ['several at once', '[{"jsonrpc":"2.0","id":1,"method":"x"}]', null, -32600],
  ['a number', '5', null, -32600],
  ['depth', `{"jsonrpc":"2.0","id":3,"method":"x","params":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`, 3, -32600],
  [
    'great depth',
    `{"jsonrpc":"2.0","id":4,"method":"x","params":{"a":${'['.repeat(9e4)}${']'.repeat(9e4)}}}`,
    4,
    -32600,
  ],
  ['length', `{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":"${'x'.repeat(1_000_000)}"}}`, null, -32600],
])('a message with %s is answered, and the next one passes', async (_, bad, id, code) => {
  const good = '{"jsonrpc":"2.0","id":9,"method":"ping"}'
  const { passed, replies } = await screened(`${bad}\n${good}\n`, 65_536)
  expect(passed).toEqual([good])
  expect(replies).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }])
})

test('a line that never ends takes no more memory than a message', async () => {
  const screen = screenMessages(() => {})
  const before = process.memoryUsage().rss
  for (let at = 0; at < 400; at++) screen.write(Buffer.alloc(1_000_000, 'x'))
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
  screen.destroy()
})
