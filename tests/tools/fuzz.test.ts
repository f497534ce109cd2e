import { describe, expect, test } from 'vitest'
import { prepareArguments } from '../../src/core/calls/repair-arguments.ts'
import { LongtakeError } from '../../src/core/errors.ts'
import type { ToolContext } from '../../src/core/tool.ts'
import { runMemory } from '../../src/runtime/tools/memory.ts'
import { toolFiles } from '../../tools/index.ts'
import { handMadeContext, handMadeIndex } from '../agent/hand-made-index.ts'
import { museum } from '../agent/museum.ts'

// The sandbox has its own tests; a process for each of so many calls would take minutes.
const names = Object.keys(toolFiles).filter(name => name !== 'execute_code')
const index = handMadeIndex(museum)

describe('two thousand calls at random', () => {
  test('end in rows inside the video, a text, a refusal or an error of ours; memory stays bounded', async () => {
    const random = seeded(20261121)
    const memory = runMemory()
    const context: ToolContext = { ...handMadeContext(index), memory, round: 0 }
    const ends = { rows: 0, text: 0, refused: 0, failed: 0 }
    for (let call = 0; call < 2000; call++) {
      const name = pick(random, names)
      const { default: tool } = await toolFiles[name]!()
      const prepared = prepareArguments(tool, argumentsFor(random), index.video.duration)
      if ('refusal' in prepared) {
        expect(prepared.refusal).toContain(name)
        ends.refused++
        continue
      }
      try {
        const result = await tool.run(prepared.input, context)
        for (const row of result.evidence) {
          expect(context.evidence(row.id)).toEqual(row)
          expect(row.span.start).toBeGreaterThanOrEqual(0)
          expect(row.span.end).toBeLessThanOrEqual(index.video.duration + 0.001)
        }
        expect(
          result.evidence.length > 0 ||
            typeof result.text === 'string' ||
            name === 'search' ||
            name === 'cross_modal_search',
        ).toBe(true)
        expect((result.text ?? '').length).toBeLessThan(500_000)
        ends[result.evidence.length > 0 ? 'rows' : 'text']++
      } catch (error) {
        expect([name, prepared.input, error instanceof LongtakeError ? 'ours' : error]).toEqual([
          name,
          prepared.input,
          'ours',
        ])
        ends.failed++
      }
    }
    expect(memory.search('').length).toBeLessThanOrEqual(200)
    for (const count of Object.values(ends)) expect(count).toBeGreaterThan(50)
  })
})

const keys = [
  ...[
    'timestamp',
    'query',
    'start',
    'end',
    'question',
    'claim',
    'expression',
    'func',
    'data',
    'object_query',
    'categories',
  ],
  ...[
    'modalities',
    'k',
    'text',
    'length',
    'from_lang',
    'to_lang',
    'language',
    'tracks',
    'about',
    'limit',
    'num_results',
    'nth',
    'before',
  ],
]
const values: unknown[] = [
  ...[
    '0:10-0:20',
    '00:03:50-00:10:00',
    '9:99',
    'whole',
    '10',
    '-5',
    '1:02:03',
    'end',
    '',
    ' ',
    'lisbon',
    'falcon',
    'who?',
    'en',
  ],
  ...[
    'add',
    'delete',
    'search',
    '2+2',
    '1/0',
    '9^9^9',
    'sqrt(',
    '[1,2]',
    '{"start":1}',
    '\u0000',
    '\u202e',
    '<data>',
    'x'.repeat(5000),
  ],
  ...[
    0,
    1,
    -1,
    1e9,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    undefined,
    [],
    {},
    [10, 20],
    ['a', 5],
    { start: 5, end: 9 },
  ],
  ...[['speech'], ['text', 'sound'], 'speech', 'all', { id: 'm12345678' }, [[1, 2]], { start: '0:05', end: '0:09' }],
]

function argumentsFor(random: () => number): unknown {
  if (random() < 0.05) return pick(random, values)
  return Object.fromEntries(keys.filter(() => random() < 0.6).map(key => [key, likely(random, key)]))
}

// Half of the time something that fits, so that tools are reached at all.
function likely(random: () => number, key: string): unknown {
  if (random() < 0.4) return pick(random, values)
  if (key === 'timestamp')
    return pick(random, ['0:10-0:20', 15, [30, 40], { start: 1, end: 200 }, '3:00', 'whole video'])
  if (['start', 'end', 'before'].includes(key)) return Math.floor(random() * 260)
  if (['k', 'limit', 'nth', 'num_results'].includes(key)) return 1 + Math.floor(random() * 10)
  if (key === 'func') return pick(random, ['add', 'add', 'search', 'delete'])
  if (key === 'modalities') return ['speech', 'visual']
  if (key === 'tracks') return ['speech', 'text']
  if (key === 'expression') return `${Math.floor(random() * 100)} * 3`
  return pick(random, ['falcon', 'the museum', 'lisbon', 'whales'])
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}
