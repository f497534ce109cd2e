import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { backendVersion } from '../../src/core/backend.ts'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { dot } from '../../tests/contracts/pictures.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { ModelFolder } from '../hub/hub-model.ts'
import { lazyTokenizer } from '../tokens/tokenizer.ts'
import { textEncoders } from './index.ts'
import { poolHidden } from './onnx.ts'

afterEach(closeAll)

const folder = modelFixture('sentence')
// Made by scripts/fixtures/bert.py with a tokenizer of its own and PyTorch.
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
  texts: string[]
  ids: number[][]
  mean: number[][]
  cls: number[][]
}
const open = async (settings: object = {}) =>
  closeLater(await textEncoders.open('onnx', { folder, ...settings }, testHost()))

function worstError(found: readonly Float32Array[], wanted: readonly number[][]): number {
  return Math.max(...wanted.flatMap((row, i) => row.map((value, k) => Math.abs(value - found[i]![k]!))))
}

test('the tokens of a text are those of the reference, accents, marks and Chinese included', async () => {
  const tokenizer = closeLater(lazyTokenizer(new ModelFolder(folder), testHost()))
  for (const [i, text] of expected.texts.entries()) {
    const { ids } = await tokenizer.encode([text], { maxTokens: 64 }, never)
    expect([...ids].map(Number)).toEqual(expected.ids[i])
  }
})

test('vectors of a batch of texts of all lengths are those of the reference within 1e-5, by mean and by first token', async () => {
  const mean = await (await open({ batch: 4 })).passages(expected.texts, never)
  expect(worstError(mean, expected.mean)).toBeLessThan(1e-5)
  const cls = await (await open({ pooling: 'cls' })).passages(expected.texts, never)
  expect(worstError(cls, expected.cls)).toBeLessThan(1e-5)
})

test('the mean leaves padding out, and "last" takes the last token that is no padding', () => {
  const hidden = { data: Float32Array.of(1, 2, 3, 4, 9, 9, 5, 6, 7, 8, 1, 1), dims: [2, 3, 2] }
  const mask = BigInt64Array.of(1n, 1n, 0n, 1n, 1n, 1n)
  expect([...poolHidden(hidden, mask, 'mean')].map(value => Math.round(value * 100) / 100)).toEqual([2, 3, 4.33, 5])
  expect([...poolHidden(hidden, mask, 'last')]).toEqual([3, 4, 1, 1])
  expect([...poolHidden(hidden, mask, 'cls')]).toEqual([1, 2, 5, 6])
})

test('a line of the same meaning in other words is nearer than lines of another', async () => {
  const encoder = await open()
  const [query] = await encoder.queries(['a kid on the street'], never)
  const lines = ['the meal is near the ship', 'the child was at the road', 'a song with rain']
  const scores = (await encoder.passages(lines, never)).map(vector => dot(vector, query!))
  expect(scores.indexOf(Math.max(...scores))).toBe(1)
})

test('smaller files of the model give nearly the same vectors', async () => {
  const exact = await (await open()).passages(expected.texts, never)
  for (const precision of ['fp16', 'q8']) {
    const small = await (await open({ precision })).passages(expected.texts, never)
    for (const [i, vector] of exact.entries()) expect(dot(vector, small[i]!)).toBeGreaterThan(0.98)
  }
})

test('prefixes come from the settings, or from the files of the model', async () => {
  const prefixed = await (await open({ queryPrefix: 'a dog: ' })).queries(['red car'], never)
  const [whole] = await (await open()).passages(['a dog: red car'], never)
  expect(dot(prefixed[0]!, whole!)).toBeCloseTo(1, 5)
  const copy = await mkdtemp(join(tmpdir(), 'sentence-'))
  await cp(folder, copy, { recursive: true })
  const prompts = { prompts: { query: 'a dog: ', document: 'the hill ' } }
  await writeFile(join(copy, 'config_sentence_transformers.json'), JSON.stringify(prompts))
  const [query] = await (await open({ folder: copy })).queries(['red car'], never)
  expect(dot(query!, whole!)).toBeCloseTo(1, 5)
  await rm(copy, { recursive: true })
})

test.each([
  ['e5-small', 'query: ', 'passage: '],
  ['embeddinggemma', 'task: search result | query: ', 'title: none | text: '],
])('%s is asked with the words that it was trained with', async (model, query, passage) => {
  const [plain, named] = [await open(), await open({ model })]
  const written = await plain.passages([`${query}red car`, `${passage}red car`], never)
  expect(dot((await named.queries(['red car'], never))[0]!, written[0]!)).toBeCloseTo(1, 5)
  expect(dot((await named.passages(['red car'], never))[0]!, written[1]!)).toBeCloseTo(1, 5)
})

describe('how a model pools', () => {
  const copy = async (pooling?: object) => {
    const own = await mkdtemp(join(tmpdir(), 'sentence-'))
    await cp(folder, own, { recursive: true })
    await rm(join(own, '1_Pooling'), { recursive: true })
    if (pooling) await mkdir(join(own, '1_Pooling'))
    if (pooling) await writeFile(join(own, '1_Pooling', 'config.json'), JSON.stringify(pooling))
    return { own, remove: () => rm(own, { recursive: true }) }
  }
  const opened = async (settings: object, said: string[]) =>
    closeLater(await textEncoders.open('onnx', settings, testHost({}, said)))

  test('is read from its files, and said to be assumed where nothing says it', async () => {
    const said: string[] = []
    const named = await copy({ pooling_mode_cls_token: true })
    const cls = await (await opened({ folder: named.own }, said)).passages(expected.texts, never)
    expect(worstError(cls, expected.cls)).toBeLessThan(1e-5)
    expect(said.join()).not.toContain('assumed')
    const silent = await copy()
    const mean = await (await opened({ folder: silent.own }, said)).passages(expected.texts, never)
    expect(worstError(mean, expected.mean)).toBeLessThan(1e-5)
    expect(said.filter(line => line.includes('their mean is assumed'))).toHaveLength(1)
    const told: string[] = []
    await opened({ folder: silent.own, pooling: 'mean' }, told)
    await opened({ folder: silent.own, model: 'bge-small' }, told)
    expect(told.join()).not.toContain('assumed')
    await named.remove()
    await silent.remove()
  })

  test('is a file to be fetched of models that have no short name, and other vectors than before only of these', async () => {
    const backend = await textEncoders.load('onnx')
    const of = (settings: object) => {
      const parsed = backend.settings.parse(settings)
      return { files: backend.needs?.(parsed)[0]?.model?.optional, version: backendVersion(backend, parsed) }
    }
    expect(of({ model: 'Xenova/bge-m3' })).toEqual({
      files: expect.arrayContaining(['1_Pooling/config.json']),
      version: '3',
    })
    expect(of({})).toEqual({ files: undefined, version: '1' })
    expect(of({ model: 'embeddinggemma' }).version).toBe('1')
    expect(of({ model: 'e5-small' }).version).toBe('2')
  })
})

test('shorter vectors are of unit length too, and a very long text is cut', async () => {
  const encoder = await open({ dimensions: 8 })
  expect(encoder.dimensions).toBe(8)
  const [vector] = await encoder.passages(['the red house '.repeat(500)], never)
  expect(Math.hypot(...vector!)).toBeCloseTo(1, 5)
})

test('an abort ends the work with its reason, and nothing in gives nothing out', async () => {
  const encoder = await open()
  await expect(encoder.passages(['a car'], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  expect(await encoder.passages([], never)).toEqual([])
})
