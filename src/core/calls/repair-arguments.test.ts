import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tool } from '../tool.ts'
import { prepareArguments } from './repair-arguments.ts'

const tool: Tool = {
  name: 'find',
  description: 'finds',
  input: z.object({
    query: z.string(),
    tracks: z.array(z.enum(['speech', 'text', 'sound', 'picture'])).optional(),
    start: z.number().min(0).optional(),
    end: z.number().min(0).optional(),
    k: z.number().int().default(8),
  }),
  run: async () => ({ evidence: [] }),
}

function mended(given: unknown) {
  const prepared = prepareArguments(tool, given, 100)
  if ('refusal' in prepared) throw new Error(prepared.refusal)
  return prepared
}

describe('arguments that are nearly right', () => {
  test.each([
    ['swapped ends', { query: 'a', start: 50, end: 20 }, { query: 'a', start: 20, end: 50, k: 8 }],
    ['an end past the end', { query: 'a', start: 50, end: 900 }, { query: 'a', start: 50, end: 100, k: 8 }],
    ['times as strings', { query: 'a', start: '0:10', end: '1:02.5' }, { query: 'a', start: 10, end: 62.5, k: 8 }],
    ['a string where a list is due', { query: 'a', tracks: 'speech' }, { query: 'a', tracks: ['speech'], k: 8 }],
    ['a list as one string', { query: 'a', tracks: 'speech, text' }, { query: 'a', tracks: ['speech', 'text'], k: 8 }],
    [
      'other names of tracks',
      { query: 'a', tracks: ['ocr', 'audio'] },
      { query: 'a', tracks: ['text', 'speech', 'sound'], k: 8 },
    ],
    ['other names of arguments', { q: 'a', start_time: 1, end_time: 9 }, { query: 'a', start: 1, end: 9, k: 8 }],
    ['a span as one argument', { query: 'a', timestamp: '0:10-0:20' }, { query: 'a', start: 10, end: 20, k: 8 }],
    ['a number as a string', { query: 'a', k: '3' }, { query: 'a', k: 3 }],
    ['JSON in a string', '{"query":"a"}', { query: 'a', k: 8 }],
    ['a bare string', 'blue falcon', { query: 'blue falcon', k: 8 }],
    ['null for what is left out', { query: 'a', start: null }, { query: 'a', k: 8 }],
    ['an argument that does not exist', { query: 'a', colour: 'red' }, { query: 'a', k: 8 }],
    ['a moment without length', { query: 'a', start: 40, end: 40 }, { query: 'a', start: 37.5, end: 42.5, k: 8 }],
    ['negative times', { query: 'a', start: -5, end: 10 }, { query: 'a', start: 0, end: 10, k: 8 }],
  ])('%s', (_name, given, input) => {
    expect(mended(given).input).toEqual(input)
  })

  test('every mending is noted, and a right call has no notes', () => {
    expect(mended({ query: 'a', start: 50, end: 20 }).notes).toEqual(['start and end were swapped.'])
    expect(mended({ query: 'a', start: 20, end: 50 }).notes).toEqual([])
  })

  test.each([
    ['nothing of what is needed', {}],
    ['a list instead of an object', ['a']],
    ['a time that is none', { query: 'a', start: 'soon' }],
    ['a list of what is no word for a text', { query: [{ toString: 2 }, 1] }],
  ])('%s is refused, with the arguments that there are', (_name, given) => {
    const prepared = prepareArguments(tool, given, 100)
    expect('refusal' in prepared && prepared.refusal).toMatch(/query.*tracks.*start.*end.*k/)
  })
})
