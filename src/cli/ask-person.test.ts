import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { personAt } from './ask-person.ts'
import type { CommandContext } from './call.ts'
import { Call } from './call.ts'

function at(live: boolean, options: Record<string, unknown> = {}) {
  const said: string[] = []
  const stream = new PassThrough()
  const terminal = { live: true, draw: () => {}, say: (line: string) => said.push(line) }
  const input = { stream, output: new PassThrough(), live }
  const world = { terminal, input } as unknown as CommandContext
  return { said, stream, reply: personAt(new Call([], options, world)) }
}

const permission = { type: 'permission', permission: 'code', tool: 'execute_code', input: { code: '1+1' } } as const

test('a permission is given with "yes" alone', async () => {
  for (const [typed, given] of [
    ['yes\n', true],
    ['y\n', true],
    ['\n', false],
    ['yes please\n', false],
    ['no\n', false],
  ] as const) {
    const { said, stream, reply } = at(true)
    const answer = reply?.(permission)
    stream.write(typed)
    expect(await answer, typed).toBe(given)
    expect(said[0]).toContain('{"code":"1+1"}')
  }
})

test('what a question means is what was typed, and nothing where the terminal ended', async () => {
  const inquiry = { type: 'clarify', question: 'And why?', words: 'And why?' } as const
  const { stream, reply } = at(true)
  const answer = reply?.(inquiry)
  stream.write(' the closing of the museum \n')
  expect(await answer).toBe('the closing of the museum')
  const closed = at(true)
  const nothing = closed.reply?.(inquiry)
  closed.stream.end()
  expect(await nothing).toBe('')
})

test('nobody is asked where nobody sits, nor where a program reads', () => {
  expect(at(false).reply).toBeUndefined()
  expect(at(true, { json: true }).reply).toBeUndefined()
  expect(at(true, { ndjson: true }).reply).toBeUndefined()
})
