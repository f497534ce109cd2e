import { expect, test } from 'vitest'
import { Config } from '../../config/schema.ts'
import { FrozenIndex } from './frozen-index.ts'

test('a job that an older release began is read without the roles that were removed', () => {
  const { index } = Config.parse({})
  const rerank = { backend: 'cross-encoder' }
  const chosen = { by: 'rerank/cross-encoder', settings: {}, version: '1', runs: 'cpu' }
  const written = { index, models: { planner: { backend: 'rules' }, rerank }, chosen: { rerank: chosen } }
  expect(FrozenIndex.parse(written)).toEqual({ index, models: { planner: { backend: 'rules' } }, chosen: {} })
  expect(FrozenIndex.safeParse({ ...written, models: { other: rerank } }).success).toBe(false)
})
