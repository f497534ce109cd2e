import { expect, test } from 'vitest'
import { components } from './components.ts'

function drawn(...rows: string[]) {
  const mask = Uint8Array.from(rows.join(''), letter => (letter === '#' ? 1 : letter === 'o' ? 2 : 0))
  return (value: number) =>
    components(mask, rows[0]!.length, rows.length, value).map(({ left, top, right, bottom, area }) => [
      left,
      top,
      right,
      bottom,
      area,
    ])
}

test('patches that touch, at corners too, are one; their box and size are right', () => {
  const patches = drawn('##...#', '..#...', '..#..#', '.....#')
  expect(patches(1)).toEqual([
    [0, 0, 3, 3, 4],
    [5, 0, 6, 1, 1],
    [5, 2, 6, 4, 2],
  ])
})

test('two arms that meet only below are one patch', () => {
  expect(drawn('#.#.#', '#.#.#', '#####')(1)).toEqual([[0, 0, 5, 3, 11]])
})

test('a patch ends at the edge of its row, and values are kept apart', () => {
  const patches = drawn('..#', 'o..', 'o#.')
  expect(patches(1)).toEqual([
    [2, 0, 3, 1, 1],
    [1, 2, 2, 3, 1],
  ])
  expect(patches(2)).toEqual([[0, 1, 1, 3, 2]])
})
