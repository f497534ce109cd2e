import { expect, test } from 'vitest'
import { RunSpec } from '../runner/run-spec.ts'
import { AskedBy, readAskedBy, splitAskedBy, typedOrHarmless } from './asked-by.ts'

test('earlier names are read, and commands keep their words', () => {
  expect(['agent', 'model', 'host', 'acp:a --b c:d'].map(readAskedBy)).toEqual([
    ...['longtake', 'alone', 'host', 'acp:a --b c:d'],
  ])
  expect(splitAskedBy('mcp-host:a {config}')).toEqual({ kind: 'mcp-host', command: 'a {config}' })
  for (const wrong of ['', 'acp', 'acp: ', 'host:x', 'shell:ls', 'constructor', '__proto__'])
    expect(AskedBy.safeParse(wrong).success, wrong).toBe(false)
})

test('a command of a run folder, a card or a queue is never started by itself', () => {
  expect(() => typedOrHarmless(undefined, 'acp:anything')).toThrow('only started if it is typed')
  expect(typedOrHarmless('acp:mine', 'acp:anything')).toBe('acp:mine')
  expect(typedOrHarmless(undefined, 'host')).toBe('host')
  expect(RunSpec.shape.by.safeParse('acp:anything').success).toBe(false)
})
