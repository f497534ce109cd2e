import { expect, test } from 'vitest'
import { splitAtRanges, splitAtTerms } from './marked.tsx'

test.each([
  ['The museum is open', ['museum'], ['The ', 'museum', ' is open']],
  ['Museums and a museum', ['museum'], ['', 'Museums', ' and a ', 'museum', '']],
  ['amuseum', ['museum'], ['amuseum']],
  ['a.b (c)', ['(c', 'a.b'], ['', 'a.b', ' ', '(c', ')']],
  ['nothing', [], ['nothing']],
])('%s with %j', (text, terms, parts) => {
  expect(splitAtTerms(text, terms)).toEqual(parts)
})

test('a text is cut around the words that were heard with doubt', () => {
  expect(
    splitAtRanges('the downtown sell meets', [
      [4, 12],
      [13, 17],
    ]),
  ).toEqual(['the ', 'downtown', ' ', 'sell', ' meets'])
  expect(splitAtRanges('all sure', [])).toEqual(['all sure'])
})
