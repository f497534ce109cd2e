import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { ModelFolder } from '../hub/hub-model.ts'
import { lazyTokenizer } from '../tokens/tokenizer.ts'
import { rerankers } from './index.ts'

afterEach(closeAll)

const folder = modelFixture('cross-encoder')
// Made by scripts/fixtures/bert.py with a tokenizer of its own and PyTorch.
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
  pairs: [string, string][]
  ids: number[][]
  types: number[][]
  logits: [number][]
}
const open = async (settings: object = {}) =>
  closeLater(await rerankers.open('cross-encoder', { folder, ...settings }, testHost()))

test('query and line become one row of tokens that tells them apart, as in the reference', async () => {
  const tokenizer = closeLater(lazyTokenizer(new ModelFolder(folder), testHost()))
  for (const [i, [query, line]] of expected.pairs.entries()) {
    const { ids, types = [] } = await tokenizer.encode([query], { maxTokens: 64, pairs: [line] }, never)
    expect([...ids].map(Number)).toEqual(expected.ids[i])
    expect([...types].map(Number)).toEqual(expected.types[i])
  }
})

test('the marks are those of the reference', async () => {
  const reranker = await open()
  for (const [i, [query, line]] of expected.pairs.entries()) {
    const [{ relevance, reason } = { relevance: 0, reason: '' }] = await reranker.rate(query, [line], never)
    const share = 1 / (1 + Math.exp(-expected.logits[i]![0]))
    expect(relevance).toBeCloseTo(1 + 3 * share, 2)
    expect(reason).toContain(share.toFixed(3))
  }
})

test('a line with the words of the query comes before lines without, over several batches', async () => {
  const lines = [
    'a doctor on the hill',
    'the puppy under the house',
    'money and rain',
    'a boat near the road',
    'dinner',
  ]
  const rated = await (await open({ batch: 2 })).rate('puppy', lines, never)
  const marks = rated.map(({ relevance }) => relevance)
  expect(marks.indexOf(Math.max(...marks))).toBe(1)
  for (const mark of marks) expect(mark).toBeGreaterThanOrEqual(1)
  for (const mark of marks) expect(mark).toBeLessThanOrEqual(4)
})

test('nothing to rate, nothing is rated; an abort ends the work', async () => {
  const reranker = await open()
  expect(await reranker.rate('puppy', [], never)).toEqual([])
  await expect(reranker.rate('puppy', ['a dog'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
