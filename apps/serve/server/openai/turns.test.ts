import { expect, test } from 'vitest'
import { processorTime } from '../../../../tests/support/processor-time.ts'
import { pairsIn, withoutThinking } from './turns.ts'

test('the thoughts of an earlier answer are left out', () => {
  expect(withoutThinking(' <think>a <think>b</think>Room 31. <think>c</think>Ask there.')).toBe('Room 31. Ask there.')
  expect(withoutThinking('Room 31. <think>without an end')).toBe('Room 31. <think>without an end')
})

test('a million signs of thoughts without an end are read at once', () => {
  const used = processorTime()
  withoutThinking('<think>'.repeat(140_000))
  expect(used()).toBeLessThan(1000)
})

test('of a long conversation the newest part is read', () => {
  const said = (role: 'user' | 'assistant', text: string) => ({ role, text, names: [] })
  const pair = (letter: string, long: number) => [said('user', `${letter}?`), said('assistant', letter.repeat(long))]
  const { pairs, notes } = pairsIn([...pair('a', 900_000), ...pair('b', 60_000), ...pair('c', 60_000)], false)
  expect(pairs.map(({ asked, answered }) => [asked, answered.length])).toEqual([
    ['b?', 39_996],
    ['c?', 60_000],
  ])
  expect(notes.join()).toContain('100000 characters')
  expect(pairsIn([...pair('a', 10), ...pair('b', 10)], false).notes).toEqual([])
})
