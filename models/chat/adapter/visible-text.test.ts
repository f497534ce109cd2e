import { expect, test } from 'vitest'
import { cutText, seeded } from '../../../tests/servers/pieces.ts'
import { streamVisibleText } from './visible-text.ts'

function shown(reply: string, final: string, withTools: boolean, seed: number): { before: string; all: string } {
  let all = ''
  const visible = streamVisibleText(piece => {
    all += piece
  }, withTools)
  for (const piece of cutText(reply, seeded(seed))) visible.push(piece)
  const before = all
  visible.finish(final)
  return { before, all }
}

test('thinking is never shown, and the whole answer is', () => {
  for (let seed = 0; seed < 30; seed++) {
    const { all } = shown(
      '<think>secret < thoughts</think>\nAt [0:12-0:15] a < b holds.',
      'At [0:12-0:15] a < b holds.',
      false,
      seed,
    )
    expect(all).toBe('At [0:12-0:15] a < b holds.')
  }
})

test('most of an answer is shown before its end', () => {
  const answer = 'The red car appears first at the gate and then in the yard. '.repeat(5).trim()
  expect(shown(answer, answer, true, 1).before.length).toBeGreaterThan(answer.length - 40)
})

test('what becomes a tool call is never shown', () => {
  const calls = [
    '<tool_call>{"name":"search"}</tool_call>',
    '{"name":"search","arguments":{}}',
    '```json\n{"name":"search"}\n```',
    '[TOOL_CALLS]search[ARGS]{}',
    '<function=search></function>',
    'search(query="a")',
    'Action: search\nAction Input: {}',
  ]
  for (const call of calls) {
    for (let seed = 0; seed < 20; seed++) {
      expect(shown(call, '', true, seed).all).toBe('')
      expect(shown(`I will search.\n${call}`, 'I will search.', true, seed).all).toBe('I will search.')
    }
  }
})
