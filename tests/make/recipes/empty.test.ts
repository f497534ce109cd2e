import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readByMap } from '../../../eval/benchmarks/map/record-map.ts'
import { loadRecipe } from '../../../eval/make/load-recipe.ts'
import type { ToWrite } from '../../../eval/recipes/recipe.ts'
import { film } from '../../bench/small-data.ts'
import { commandLine } from '../../support/command-line.ts'
import { quickly } from './own-video.ts'

test('a set without a question can still be read: infinibench has one empty file of records', async () => {
  const recipe = await loadRecipe('infinibench')
  const given: ToWrite<unknown> = { items: [], records: [], videoFiles: new Map(), settings: {}, canary: 'c' }
  expect(recipe.write(given)).toEqual([{ path: expect.any(String), content: '[]\n', annotations: true }])
})

test('where rules find nothing to ask, the command says what they ask about and who asks about more', async () => {
  const line = commandLine()
  film(join(line.cwd, 'plain.mp4'), 'black', 4, '64x36')
  const wish = ['--from', 'plain.mp4', '--out', 'set', '--option', 'minMinutes=0']
  const { code, stdout } = await line.run('bench', 'make', 'cg-bench', ...wish, ...quickly)
  expect(code).toBe(6)
  expect(stdout).toContain('0 questions of 0 drafted')
  expect(stdout).toContain('Nothing was drafted: rules ask about titles')
  expect(stdout).toContain('--set make.author.backend=openai')
  expect(stdout).not.toContain('bench run')
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
