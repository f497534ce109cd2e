import { expect, test } from 'vitest'
import { processorTime } from '../../../tests/support/processor-time.ts'
import { withoutThinking } from './turns.ts'

test('the thoughts of an earlier answer are left out', () => {
  expect(withoutThinking(' <think>a <think>b</think>Room 31. <think>c</think>Ask there.')).toBe('Room 31. Ask there.')
  expect(withoutThinking('Room 31. <think>without an end')).toBe('Room 31. <think>without an end')
})

test('a million signs of thoughts without an end are read at once', () => {
  const used = processorTime()
  withoutThinking('<think>'.repeat(140_000))
  expect(used()).toBeLessThan(1000)
})
