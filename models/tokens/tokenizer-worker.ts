import { serveThread } from '../onnx/serve-thread.ts'
import type { Encoded, TokenizerJob } from './tokenizer.ts'

// A tokenizer in a thread of its own: the files of large ones take seconds to read.

type Rows = { input_ids: number[][]; token_type_ids?: number[][] }

interface Opened {
  (texts: string[], options: object): Rows
  model_max_length?: number
  pad_token_id?: number
  all_special_ids: number[]
}

let tokenizer: Opened | undefined

serveThread<TokenizerJob>({
  async work(job) {
    if (job.kind === 'open') {
      const { AutoTokenizer, env } = await import('@xenova/transformers')
      env.allowRemoteModels = false
      tokenizer = (await AutoTokenizer.from_pretrained(job.folder, { local_files_only: true })) as unknown as Opened
      return { longest: tokenizer.model_max_length }
    }
    if (!tokenizer) throw new Error('the tokenizer is not open')
    return encode(tokenizer, job)
  },
})

function encode(tokenizer: Opened, { texts, pairs, longest, padding }: TokenizerJob & { kind: 'encode' }): Encoded {
  const whole = tokenizer(texts, { text_pair: pairs, padding: false, truncation: false, return_tensor: false })
  const special = new Set(tokenizer.all_special_ids)
  const cut = whole.input_ids.map(row => shortened(row, longest, special))
  const width = padding === 'max_length' ? longest : cut.reduce((most, row) => Math.max(most, row.length), 0)
  const mask = cut.map(row => row.map(() => 1))
  return {
    rows: cut.length,
    width,
    ids: table(cut, width, tokenizer.pad_token_id ?? 0),
    mask: table(mask, width, 0),
    ...(whole.token_type_ids && { types: table(whole.token_type_ids, width, 0) }),
  }
}

// A text that is too long keeps the token that ends it: some models read their vector there.
function shortened(row: number[], longest: number, special: Set<number>): number[] {
  if (row.length <= longest) return row
  const end = row[row.length - 1]
  return special.has(end) ? [...row.slice(0, longest - 1), end] : row.slice(0, longest)
}

function table(rows: number[][], width: number, padding: number): BigInt64Array {
  const values = new BigInt64Array(rows.length * width).fill(BigInt(padding))
  rows.forEach((row, i) => {
    for (let k = 0; k < Math.min(width, row.length); k++) values[i * width + k] = BigInt(row[k])
  })
  return values
}
