import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { profiles } from '../../src/config/profiles.ts'
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

test('the scores are those of the reference, and the only line is the best', async () => {
  const reranker = await open()
  for (const [i, [query, line]] of expected.pairs.entries()) {
    const [{ relevance, reason } = { relevance: 0, reason: '' }] = await reranker.rate(query, [line], never)
    expect(relevance).toBe(4)
    expect(reason).toContain((1 / (1 + Math.exp(-expected.logits[i]![0]))).toFixed(3))
  }
})

test('lines are graded by their rank, however low the model scores all of them', async () => {
  const reranker = await open()
  const lines = expected.pairs.map(([, line]) => line)
  const twelve = Array.from({ length: 12 }, (_, i) => `${lines[i % lines.length]} ${'and the rain '.repeat(i)}`)
  const rated = await reranker.rate('zzz', twelve, never)
  const ranks = rated.map(({ reason }) => Number(/^rank (\d+) of 12 /.exec(reason)?.[1]))
  const wanted = ranks.map(rank => (rank <= 4 ? 4 : rank <= 8 ? 3 : rank <= 10 ? 2 : 1))
  expect(rated.map(({ relevance }) => relevance)).toEqual(wanted)
  expect(Math.min(...ranks)).toBe(1)
})

test('the model of many languages is the default, with its file of 8 bits under the name that it has', async () => {
  const backend = await rerankers.load('cross-encoder')
  const wanted = (settings: object) => backend.needs?.(backend.settings.parse(settings))[0]?.model
  expect(wanted({})).toMatchObject({
    repository: 'cross-encoder/mmarco-mMiniLMv2-L12-H384-v1',
    files: expect.arrayContaining(['tokenizer.json', 'onnx/model.onnx']),
  })
  expect(wanted({ precision: 'q8' })?.files).toContain('onnx/model_quint8_avx2.onnx')
  expect(wanted({ model: 'ms-marco', precision: 'q8' })?.files).toContain('onnx/model_quantized.onnx')
  expect(profiles.local.rerank).toEqual({ backend: 'cross-encoder', model: 'mmarco' })
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
  expect(rated[1]?.reason).toMatch(/^rank 1 of 5 /)
  for (const mark of marks) expect(mark).toBeGreaterThanOrEqual(1)
  for (const mark of marks) expect(mark).toBeLessThanOrEqual(4)
})

test('nothing to rate, nothing is rated; an abort ends the work', async () => {
  const reranker = await open()
  expect(await reranker.rate('puppy', [], never)).toEqual([])
  await expect(reranker.rate('puppy', ['a dog'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
