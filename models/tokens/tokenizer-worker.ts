import { join } from 'node:path'
import type { Tokenizer } from '@huggingface/tokenizers'
import { errorText } from '../../src/core/errors.ts'
import { readBoundedText } from '../../src/core/machine/read-bounded.ts'
import { serveThread } from '../onnx/serve-thread.ts'
import type { Encoded, TokenizerJob } from './tokenizer.ts'

// A tokenizer in its own thread: large tokenizer files take seconds to parse.

// The part of tokenizer_config.json that is used here.
interface Config {
  tokenizer_class?: string
  model_max_length?: number
  pad_token?: string | { content: string }
  eos_token?: string | { content: string }
}

interface Opened {
  tokenizer: Tokenizer
  padId: number
  special: Set<number>
  typed: boolean // the model marks the two texts of a pair by token types
}

let opened: Opened | undefined

serveThread<TokenizerJob>({
  async work(job) {
    if (job.kind === 'encode') {
      if (!opened) throw new Error('the tokenizer is not open')
      return encode(opened, job)
    }
    const library = await import('@huggingface/tokenizers')
    const { Tokenizer } = library
    keepJoiners(library as unknown as { PrecompiledNormalizer: { prototype: Normalizer } })
    const [file, config] = await Promise.all([
      readJson<object>(job.folder, 'tokenizer.json'),
      readJson<Config>(job.folder, 'tokenizer_config.json'),
    ])
    const tokenizer = new Tokenizer(file, config)
    const added = [...tokenizer.get_added_tokens_decoder().values()]
    opened = {
      tokenizer,
      padId: tokenizer.token_to_id(tokenContent(config.pad_token ?? config.eos_token)) ?? 0,
      special: new Set(added.filter(token => token.special).map(token => token.id)),
      typed: typedClasses.test(config.tokenizer_class ?? ''),
    }
    return { maxTokens: config.model_max_length }
  },
})

// Sentencepiece keeps the zero-width joiner, which Sinhala and emoji are full of; the package makes a space of it.
function keepJoiners({
  PrecompiledNormalizer: { prototype },
}: {
  PrecompiledNormalizer: { prototype: Normalizer }
}): void {
  const { normalize } = prototype
  prototype.normalize = function (text) {
    const parts = text.split('\u200d')
    return parts.map(part => normalize.call(this, part)).join('\u200d')
  }
}

interface Normalizer {
  normalize(text: string): string
}

// Other models do not use token types.
const typedClasses =
  /^(Albert|Bert|ConvBert|Deberta|DebertaV2|Electra|Herbert|MobileBert|RoFormer|SqueezeBert|XLM)Tokenizer(Fast)?$/

async function readJson<Value>(folder: string, name: string): Promise<Value> {
  const path = join(folder, name)
  try {
    return JSON.parse(await readBoundedText(path, 64e6))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${errorText(error)}`)
  }
}

function tokenContent(token: string | { content: string } | undefined): string {
  return typeof token === 'object' ? token.content : (token ?? '')
}

function encode(
  { tokenizer, padId, special, typed }: Opened,
  { texts, maxTokens, padding: to }: TokenizerJob & { kind: 'encode' },
): Encoded {
  const rows = texts.map(text => tokenizer.encode(text, { return_token_type_ids: typed }))
  const ids = rows.map(row => shortened(row.ids, maxTokens, special))
  const width = to === 'max_length' ? maxTokens : ids.reduce((max, row) => Math.max(max, row.length), 0)
  const mask = ids.map(row => row.map(() => 1))
  const types = rows.map(row => row.token_type_ids ?? [])
  return {
    rows: ids.length,
    width,
    ids: table(ids, width, padId),
    mask: table(mask, width, 0),
    ...(typed && { types: table(types, width, 0) }),
  }
}

// Truncation keeps a final special token: some models read their vector there.
function shortened(row: number[], maxTokens: number, special: Set<number>): number[] {
  const end = row.at(-1)
  if (row.length <= maxTokens || end === undefined) return row
  return special.has(end) ? [...row.slice(0, maxTokens - 1), end] : row.slice(0, maxTokens)
}

function table(rows: number[][], width: number, padding: number): BigInt64Array {
  const values = new BigInt64Array(rows.length * width).fill(BigInt(padding))
  for (const [i, row] of rows.entries()) values.set(row.slice(0, width).map(BigInt), i * width)
  return values
}
