import { z } from 'zod'
import type { ModelFolder } from '../hub/hub-model.ts'
import { isFile } from '../is-file.ts'

// How token vectors become one vector: their mean, the first token's, or the last token's.
export const Pooling = z.enum(['mean', 'cls', 'last'])
export type Pooling = z.infer<typeof Pooling>

export function pooled(
  hidden: { data: Float32Array; dims: number[] },
  mask: BigInt64Array,
  pooling: Pooling,
): Float32Array {
  const [rows = 0, width = 0, size = 0] = hidden.dims
  const vectors = new Float32Array(rows * size)
  for (let row = 0; row < rows; row++) {
    const real = Array.from({ length: width }, (_, i) => i).filter(i => mask[row * width + i] === 1n)
    const used = pooling === 'mean' ? real : [real.at(pooling === 'cls' ? 0 : -1) ?? 0]
    for (const token of used) {
      const from = (row * width + token) * size
      for (let i = 0; i < size; i++) vectors[row * size + i]! += hidden.data[from + i]! / used.length
    }
  }
  return vectors
}

const PoolingFile = z.looseObject({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(false),
  pooling_mode_lasttoken: z.boolean().default(false),
})
const PromptFile = z.looseObject({ prompts: z.record(z.string(), z.string()).default({}) })
const LengthFile = z.looseObject({ max_seq_length: z.number().int().positive().optional() })

export interface EncodingDefaults {
  pooling?: Pooling
  queryPrefix?: string
  passagePrefix?: string
  maxTokens?: number
}

// Reads from the files of a sentence model, where present, how it is used. The hub's copies often lack them.
export async function readEncodingDefaults(folder: ModelFolder): Promise<EncodingDefaults> {
  const read = async <Value>(name: string, shape: z.ZodType<Value>) =>
    (await isFile(folder.file(name))) ? folder.json(name, shape) : undefined
  const how = await read('1_Pooling/config.json', PoolingFile)
  const prompts = (await read('config_sentence_transformers.json', PromptFile))?.prompts
  const { max_seq_length } = (await read('sentence_bert_config.json', LengthFile)) ?? {}
  return {
    ...(how?.pooling_mode_mean_tokens && { pooling: 'mean' }),
    ...(how?.pooling_mode_cls_token && { pooling: 'cls' }),
    ...(how?.pooling_mode_lasttoken && { pooling: 'last' }),
    ...(prompts?.query && { queryPrefix: prompts.query }),
    ...((prompts?.document ?? prompts?.passage) && { passagePrefix: prompts?.document ?? prompts?.passage }),
    ...(max_seq_length && { maxTokens: max_seq_length }),
  }
}
