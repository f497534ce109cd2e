import { expect, test } from 'vitest'
import { draftTokens } from './draft-tokens.ts'

function shown(text: string, size: number): string[] {
  const pieces: string[] = []
  const take = draftTokens(piece => pieces.push(piece))
  for (let at = 0; at < text.length; at += size) take(text.slice(at, at + size))
  return pieces
}

const draft =
  '{"sentences":[{"text":"It says \\"Room 204\\".","cites":["t1"]},{"text":"Caf\\u00e9 [0:10].","cites":[]}],"choice":1,"confidence":0.5}'

test.each([1, 2, 3, 7, 1000])('only the sentences of a draft are shown, in pieces of %i letters', size => {
  expect(shown(draft, size).join('')).toBe('It says "Room 204". Café [0:10].')
})

test('sentences that end without a full stop do not run together', () => {
  const quotes =
    '{"sentences":[{"text":"Said: \\"the market\\""},{"text":"Said: \\"the bridge.\\""},{"text":"42 [0:10]"},{"text":"Why?"}]}'
  expect(shown(quotes, 5).join('')).toBe('Said: "the market". Said: "the bridge." 42 [0:10]. Why?')
})

test('they are shown as they come and not at the end', () => {
  expect(shown(draft, 8).length).toBeGreaterThan(4)
})

test.each([1, 4, 1000])('a draft in a fence is read like one without, in pieces of %i letters', size => {
  expect(shown(`\`\`\`json\n${draft}\n\`\`\``, size).join('')).toBe('It says "Room 204". Café [0:10].')
})

test('prose is shown as it is', () => {
  expect(shown('The room is 204 [t1].', 5).join('')).toBe('The room is 204 [t1].')
})

test('a key that looks like a sentence is not shown', () => {
  expect(shown('{"reason":"text","text":"yes","note":{"text":"also"}}', 3).join('')).toBe('yes. also')
})
