import { expect, test } from 'vitest'
import { KnownVoices } from './sherpa.ts'

function voice(speaker: number, seconds: number, ...vector: number[]) {
  return { speaker, seconds, vector: Float32Array.from(vector) }
}

test('a voice of a later block is the same speaker, whatever its number there', () => {
  const known = new KnownVoices(0.5)
  const first = known.name([voice(0, 9, 1, 0), voice(1, 5, 0, 1)])
  const later = known.name([voice(0, 4, 0.1, 2), voice(1, 8, 3, 0.2)])
  expect([later.get(0), later.get(1)]).toEqual([first.get(1), first.get(0)])
})

test('a voice that is unlike all others is a new speaker, unless no more may be', () => {
  const free = new KnownVoices(0.5)
  free.name([voice(0, 9, 1, 0)])
  expect(free.name([voice(0, 9, 0, 1)]).get(0)).toBe(1)
  const two = new KnownVoices(0.5, 1)
  two.name([voice(0, 9, 1, 0)])
  expect(two.name([voice(0, 9, 0, 1)]).get(0)).toBe(0)
})

test('two speakers of one block stay two, also where both sound like one that is known', () => {
  const known = new KnownVoices(0.5)
  known.name([voice(0, 9, 1, 0)])
  const next = known.name([voice(0, 3, 1, 0.1), voice(1, 8, 1, 0)])
  expect(next.get(1)).toBe(0)
  expect(next.get(0)).toBe(1)
})
