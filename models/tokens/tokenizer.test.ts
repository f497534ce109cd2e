import { AutoTokenizer, env } from '@xenova/transformers'
import { afterEach, expect, test } from 'vitest'
import { modelFixture } from '../../tests/contracts/model-fixture.ts'
import { closeAll, closeLater, never, testHost } from '../../tests/servers/host.ts'
import { type Encoded, lazyTokenizer } from './tokenizer.ts'

afterEach(closeAll)

const texts = [
  'Where is the red car?',
  'naïve café – “don’t” €5 10:30',
  '你好,世界 мир 👩‍🚀',
  ' two  spaces\n',
  '',
  '[SEP] </s>',
]
const rowsOf = ({ ids, types, rows, width }: Encoded) =>
  Array.from({ length: rows }, (_, i) => ({
    ids: [...ids.subarray(i * width, (i + 1) * width)].map(Number),
    types: types && [...types.subarray(i * width, (i + 1) * width)].map(Number),
  }))

const fixtures = ['sentence', 'clap', 'clip', 'siglip', 'owlvit', 'whisper', 'chat', 'chat-vision']

test.each(fixtures)('%s: ids, types, padding and length are those of the transformers package', async name => {
  env.allowRemoteModels = false
  const folder = modelFixture(name)
  const reference = await AutoTokenizer.from_pretrained(folder, { local_files_only: true })
  const tokenizer = closeLater(lazyTokenizer({ path: folder }, testHost()))
  expect(await tokenizer.maxTokens()).toBe(reference.model_max_length)
  const options = { padding: false, return_tensor: false }
  const { input_ids, token_type_ids } = reference(texts, options as object) as unknown as Record<string, number[][]>
  const encoded = await tokenizer.encode(texts, { maxTokens: 512 }, never)
  const padded = (row: number[], by: number) => [...row, ...Array(encoded.width - row.length).fill(by)]
  expect(encoded.width).toBe(Math.max(...(input_ids ?? []).map(row => row.length)))
  expect(rowsOf(encoded)).toEqual(
    input_ids?.map((row, i) => ({
      ids: padded(row, reference.pad_token_id ?? 0),
      types: token_type_ids && padded(token_type_ids[i] ?? [], 0),
    })),
  )
})
