import { expect, test } from 'vitest'
import { splitAtTerms } from './marked.tsx'

test.each([
  ['The museum is open', ['museum'], ['The ', 'museum', ' is open']],
  ['Museums and a museum', ['museum'], ['', 'Museums', ' and a ', 'museum', '']],
  ['amuseum', ['museum'], ['amuseum']],
  ['a.b (c)', ['(c', 'a.b'], ['', 'a.b', ' ', '(c', ')']],
  ['nothing', [], ['nothing']],
])('%s with %j', (text, terms, parts) => {
  expect(splitAtTerms(text, terms)).toEqual(parts)
})
