import { expect, test } from 'vitest'
import { stamp } from '../core/evidence.ts'
import type { SearchHit } from './search-hit.ts'
import { withoutWeak } from './weak-hits.ts'

const found = (lists: string[], more: Partial<SearchHit>): SearchHit => ({
  evidence: stamp({ span: { start: 0, end: 1 }, track: 'speech', text: JSON.stringify(more) }, 'v', 't'),
  ...{ lists, score: 1, terms: [], coverage: 0, ...more },
})
const kept = (rows: SearchHit[], likeness?: Parameters<typeof withoutWeak>[1]) =>
  withoutWeak(
    rows.map(item => ({ item, score: 1 })),
    likeness,
  ).map(({ item }) => item)

test('a row that holds one common word of many is left out, one that holds a quarter of the query or two words stays', () => {
  const [one, quarter, two] = [
    found(['words'], { terms: ['won'], coverage: 0.1 }),
    found(['words'], { terms: ['barking'], coverage: 0.4 }),
    found(['words'], { terms: ['red', 'door'], coverage: 0.2 }),
  ]
  expect(kept([one, quarter, two])).toEqual([quarter, two])
  expect(kept([one])).toEqual([])
})

test('pictures that are half as like as the best one stay', () => {
  const like = (likeness: number) => found(['picture'], { likeness })
  expect(kept([0.4, 0.21, 0.19].map(like)).map(row => row.likeness)).toEqual([0.4, 0.21])
})

test('of what is only near in meaning five stay, and more if they stand out from all rows', () => {
  const near = (likeness: number) => found(['meaning'], { likeness })
  const sums = { rows: 200, sum: 20, squares: 200 * (0.1 ** 2 + 0.1 ** 2) } // mean 0.1, deviation 0.1
  expect(kept([0.2, 0.19, 0.18, 0.17, 0.16, 0.15, 0.14].map(near), sums)).toHaveLength(5)
  expect(kept([0.5, 0.45, 0.4, 0.38, 0.36, 0.34, 0.15].map(near), sums)).toHaveLength(6)
})
