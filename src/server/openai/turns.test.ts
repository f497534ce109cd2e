import { expect, test } from 'vitest'
import { withoutThinking } from './turns.ts'

test('the thoughts of an earlier answer are left out', () => {
  expect(withoutThinking(' <think>a <think>b</think>Room 31. <think>c</think>Ask there.')).toBe('Room 31. Ask there.')
  expect(withoutThinking('Room 31. <think>without an end')).toBe('Room 31. <think>without an end')
})

test('a million signs of thoughts without an end are read at once', () => {
  const began = performance.now()
  withoutThinking('<think>'.repeat(140_000))
  expect(performance.now() - began).toBeLessThan(1000)
})
