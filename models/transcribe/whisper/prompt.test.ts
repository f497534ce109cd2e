import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modelFixture } from '../../../tests/contracts/model-fixture.ts'
import { testHost } from '../../../tests/servers/host.ts'
import { ModelFolder } from '../../hub/hub-model.ts'
import { readWhisperWords, WhisperVocabulary } from '../../prepare/vocabulary.ts'
import { WhisperShape } from './generation.ts'
import { promptTokens } from './transcriber.ts'
import { writeWindows } from './write-windows.ts'

const folder = new ModelFolder(modelFixture('whisper'))
const words = readWhisperWords(readFileSync(folder.file('tokenizer.json'), 'utf8'))
const vocabulary = new WhisperVocabulary(words)
const shapeOf = (max_target_positions: number) =>
  WhisperShape.parse({ d_model: 4, decoder_attention_heads: 1, decoder_layers: 1, max_target_positions })

test('a prompt is text after <|startofprev|>, with a space before it and no other mark', async () => {
  const [begin, ...tokens] = await promptTokens('  frozen river ', {
    folder,
    vocabulary,
    shape: shapeOf(448),
    host: testHost(),
  })
  expect(begin).toBe(vocabulary.special('<|startofprev|>'))
  expect(vocabulary.text(tokens)).toBe(' frozen river')
  expect(tokens.every(token => vocabulary.isText(token))).toBe(true)
})

test('of a long prompt the end stays: half of what the model can write, less one', async () => {
  const tokens = await promptTokens(`${'bread '.repeat(90)}river`, {
    folder,
    vocabulary,
    shape: shapeOf(40),
    host: testHost(),
  })
  expect(tokens).toHaveLength(1 + 19)
  expect(vocabulary.text(tokens.slice(1))).toMatch(/bread river$/)
})

test('a model without the token of a prompt refuses one', async () => {
  const bare = new WhisperVocabulary({ ...words, special: [] })
  const asked = promptTokens('x', { folder, vocabulary: bare, shape: shapeOf(448), host: testHost() })
  await expect(asked).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('<|startofprev|>') })
})

test('whether nobody speaks is read where the transcript starts, not where the prompt does', async () => {
  const vocabularySize = 4
  const positions = [
    [0, 0, 0, 9],
    [0, 9, 0, 0],
    [9, 0, 0, 0],
  ]
  const decoder = {
    begin: async () => ({
      logits: Float32Array.from(positions.flat()),
      width: 12,
      vocabulary: vocabularySize,
      attention: new Map(),
    }),
  }
  const read = async (start: number) => {
    const rules = { begin: 4, noTimestamps: 2, end: 0, suppress: [], suppressFirst: [] }
    const writing = { prompt: [3, 1, 1], start, rules, noSpeech: 3, maxTokens: 1, heads: [], temperature: 0, seed: 0 }
    const [written] = await writeWindows(decoder as never, { dims: [1] } as never, writing, () => false)
    return written!.noSpeech
  }
  expect(await read(0)).toBeGreaterThan(0.99)
  expect(await read(1)).toBeLessThan(0.01)
})
