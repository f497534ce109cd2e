import { expect, test } from 'vitest'
import { loadRecipe } from '../../../eval/make/load-recipe.ts'
import type { ToWrite } from '../../../eval/make/recipe.ts'
import { readByMap } from '../../../eval/map/record-map.ts'

test('a set without a question can still be read: infinibench has one empty file of records', async () => {
  const recipe = await loadRecipe('infinibench')
  const given: ToWrite<unknown> = { items: [], records: [], videoFiles: new Map(), settings: {}, canary: 'c' }
  expect(recipe.write(given)).toEqual([{ path: expect.any(String), content: '[]\n', annotations: true }])
})

test('initials are no letters of options', () => {
  const map = { records: '*', video: 'v', question: 'q', options: 'o', answer: 'a', answerIs: 'text' as const }
  const read = (o: string[], a: string) =>
    readByMap([{ v: 'v', q: 'Who?', o, a }], { ...map, more: {}, values: {} }, 'f')[0]
  expect(read(['A. Lincoln', 'G. Washington'], 'G. Washington')).toMatchObject({
    options: ['A. Lincoln', 'G. Washington'],
    answer: 'B',
  })
  expect(read(['A. red', 'B. blue'], 'B. blue')).toMatchObject({ options: ['red', 'blue'], answer: 'B' })
})
