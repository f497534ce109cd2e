import { describe, expect, test } from 'vitest'
import { readDraft } from './read-draft.ts'

const options = ['A dog', 'blue falcon', 'C. red hawk']

describe('a draft that is nearly right', () => {
  test.each([
    ['{"sentences":[],"choice":"blue falcon"}', 1],
    ['{"sentences":[],"choice":"A dog"}', 0],
    ['{"sentences":[],"choice":"B"}', 1],
    ['{"choice":"B"}', 1],
    ['{"sentences":[],"choice":"(C)"}', 2],
    ['{"sentences":[],"choice":"1"}', 1],
    ['{"sentences":[{"text":"It is so.","cites":[]}],"choice":-1}', undefined],
    ['{"sentences":[{"text":"It is so.","cites":[]}],"choice":7}', undefined],
    ['The answer is B.', 1],
    ['B) blue falcon, because it is said so.', 1],
    ['The correct option is (C).', 2],
    ['Clearly the red hawk is meant.', 2],
    ['A bird of some kind.', undefined],
  ])('%s', (text, choice) => {
    expect(readDraft(text, options)?.choice).toBe(choice)
  })

  test('keeps its sentences whatever its numbers are', () => {
    const made = readDraft(
      '{"sentences":[{"text":"So.","cites":["a"]},{"cites":[]},null,"And so."],"confidence":85,"choice":"?"}',
    )
    expect(made?.sentences.map(one => one.text)).toEqual(['So.', 'And so.'])
    expect(made?.confidence).toBe(0.85)
  })

  test('is cut to a length that an answer may have', () => {
    const made = readDraft(
      JSON.stringify({ sentences: Array.from({ length: 500 }, () => ({ text: 'x'.repeat(9000), cites: [] })) }),
    )
    expect(made?.sentences).toHaveLength(60)
    expect(made?.sentences[0]?.text).toHaveLength(2000)
  })

  test('is none where nothing is said and nothing chosen', () => {
    expect(readDraft('   ')).toBeUndefined()
    expect(readDraft('{"sentences":[]}')).toBeUndefined()
  })
})
