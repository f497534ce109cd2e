import { expect, test } from 'vitest'
import { processorTime } from '../../../tests/support/processor-time.ts'
import { choicesIn } from './question-parts.ts'

test('the options that a question lists itself', () => {
  expect(choicesIn('Which of these towns is named: Rome, Oslo or Bern?')).toEqual(['Rome', 'Oslo', 'Bern'])
  expect(choicesIn('Was it at  noon, in the\nmorning or  at night?')).toEqual(['in the morning', 'at night'])
  expect(choicesIn('Which of these is named: Rome, Oslo, Bern?')).toEqual(['Rome', 'Oslo', 'Bern'])
})

test.each([
  ['a short list', `which is first: ${'a, '.repeat(600)}`],
  ['a list without an end', `which is first: ${'a, '.repeat(6000)}`],
  ['options without an end', `is it ${'a or '.repeat(3900)}`],
  ['spaces', `which,${' '.repeat(19_000)}x`],
])('%s is read at once', (_, question) => {
  const used = processorTime()
  choicesIn(question)
  expect(used()).toBeLessThan(1000)
})
