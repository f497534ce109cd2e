import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { dot, plainFrame, sourceFrame } from '../../tests/contracts/pictures.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { ModelFolder } from '../hub/hub-model.ts'
import { lazyTokenizer } from '../tokens/tokenizer.ts'
import { imageEncoders } from './index.ts'

afterEach(closeAll)

const kinds = { siglip: { maxTokens: 64, padding: 'max_length' }, clip: { maxTokens: 77, padding: 'longest' } } as const

for (const [name, kind] of Object.entries(kinds)) {
  // Made by scripts/fixtures with sentencepiece or a tokenizer of its own, and PyTorch.
  const expected = JSON.parse(readFileSync(join(modelFixture(name), 'expected.json'), 'utf8')) as {
    texts: string[]
    ids: number[][]
    vectors: number[][]
  }
  const open = async (settings: object = {}) =>
    closeLater(await imageEncoders.open(name, { folder: modelFixture(name), ...settings }, testHost()))

  describe(name, () => {
    test('a text has the tokens that the reference has', async () => {
      const tokenizer = closeLater(lazyTokenizer(new ModelFolder(modelFixture(name)), testHost()))
      for (const [i, text] of expected.texts.entries()) {
        const { ids } = await tokenizer.encode([text], kind, never)
        expect([...ids].map(Number)).toEqual(expected.ids[i])
      }
    })

    test('the vectors of texts are those of the reference within 1e-5, alone and in a batch', async () => {
      const encoder = await open()
      const batch = await encoder.text(expected.texts, never)
      for (const [i, vector] of expected.vectors.entries()) {
        const [alone] = await encoder.text([expected.texts[i]!], never)
        for (const found of [alone, batch[i]]) {
          const worst = vector.reduce((most, value, k) => Math.max(most, Math.abs(value - (found?.[k] ?? 9))), 0)
          expect(worst).toBeLessThan(1e-5)
        }
      }
    })

    test('a text that is too long keeps the token that ends it', async () => {
      const tokenizer = closeLater(lazyTokenizer(new ModelFolder(modelFixture(name)), testHost()))
      const { ids, width } = await tokenizer.encode(['red '.repeat(200)], kind, never)
      const { ids: short } = await tokenizer.encode(['red'], kind, never)
      expect(width).toBe(kind.maxTokens)
      expect(ids[width - 1]).toBe(short[short.length - 1])
    })

    test('smaller files of the model give nearly the same vectors', async () => {
      const frames = [plainFrame(200, 30, 30), await sourceFrame('testsrc2')]
      const exact = await (await open()).images(frames, never)
      for (const precision of name === 'siglip' ? ['fp16', 'q8'] : ['fp16']) {
        const small = await (await open({ precision })).images(frames, never)
        for (const [i, vector] of exact.entries()) expect(dot(vector, small[i]!)).toBeGreaterThan(0.99)
      }
    })

    test('pictures of all sizes go into one batch, and a batch of three gives what each gives alone', async () => {
      const frames = [
        await sourceFrame('testsrc2', { width: 90, height: 160 }),
        await sourceFrame('smptebars'),
        plainFrame(9, 9, 9),
      ]
      const encoder = await open({ batch: 3 })
      const together = await encoder.images(frames, never)
      for (const [i, frame] of frames.entries())
        expect(dot((await encoder.images([frame], never))[0]!, together[i]!)).toBeCloseTo(1, 5)
    })
  })
}

test('SigLIP 2, whose tokenizer keeps capitals, is asked in lower case; other models as it is written', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'siglip2-'))
  await cp(modelFixture('siglip'), copy, { recursive: true })
  const rewrite = async (name: string, change: object) => {
    const file = JSON.parse(readFileSync(join(copy, name), 'utf8')) as object
    await writeFile(join(copy, name), JSON.stringify({ ...file, ...change }))
  }
  await rewrite('tokenizer.json', { normalizer: null })
  const likeness = async () => {
    const encoder = closeLater(await imageEncoders.open('siglip', { folder: copy }, testHost()))
    const [written, lower] = await encoder.text(['a RED Slide', 'a red slide'], never)
    return dot(written!, lower!)
  }
  expect(await likeness()).toBeLessThan(0.999)
  for (const tokenizer_class of ['GemmaTokenizer', 'GemmaTokenizerFast', 'Siglip2Tokenizer']) {
    await rewrite('tokenizer_config.json', { tokenizer_class })
    expect(await likeness()).toBeCloseTo(1, 6)
  }
  await rm(copy, { recursive: true })
})

test('a file that the model does not have is named, with those that it has', async () => {
  const opening = imageEncoders.load('clip').then(backend => {
    const settings = backend.settings.parse({ folder: modelFixture('clip'), precision: 'q4' })
    return backend.open(settings, testHost())
  })
  await expect(opening).rejects.toThrow(/lacks onnx\/vision_model_q4\.onnx.*it has .*vision_model_fp16\.onnx/)
})

test('a short name that nobody knows is an error with those that are known', async () => {
  const opening = imageEncoders.open('siglip', { model: 'bsae' }, testHost())
  await expect(opening).rejects.toThrow('Unknown model "bsae"')
})

describe('in the cache of the hub', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567'
  let home = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'hub-'))
    const repository = join(home, 'hub', 'models--someone--tiny-siglip')
    await cp(modelFixture('siglip'), join(repository, 'snapshots', commit), { recursive: true })
    await cp(join(modelFixture('siglip'), 'config.json'), join(repository, 'refs', 'x'))
    await writeFile(join(repository, 'refs', 'main'), commit)
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  test('a model is found by its repository, at a branch or a commit', async () => {
    for (const revision of ['main', commit]) {
      const settings = { model: 'someone/tiny-siglip', revision }
      const encoder = closeLater(await imageEncoders.open('siglip', settings, testHost({ HF_HOME: home })))
      expect(encoder.dimensions).toBe(32)
    }
  })

  test('a model that is not there is needed, with the command that brings it', async () => {
    const settings = { model: 'someone/tiny-siglip', revision: 'v2' }
    const opening = imageEncoders.open('siglip', settings, testHost({ HF_HOME: home }))
    await expect(opening).rejects.toMatchObject({
      hint: 'Run "longtake models pull" with the same --profile and --set.',
    })
  })
})
