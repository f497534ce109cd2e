import type { Closable, Host } from '../../src/core/backend.ts'
import type { ModelFolder } from '../hub/hub-model.ts'
import { closeWhenIdle } from '../onnx/close-when-idle.ts'
import type { Feeds } from '../onnx/messages.ts'
import { Thread } from '../onnx/thread.ts'

// Rows are padded to the longest one, or to the maximum length.
type Padding = 'longest' | 'max_length'

export type TokenizerJob =
  | { kind: 'open'; folder: string }
  | { kind: 'encode'; texts: string[]; maxTokens: number; padding: Padding }

// Tokens of several texts as rows of equal length.
export interface Encoded {
  rows: number
  width: number
  ids: BigInt64Array
  mask: BigInt64Array
  types?: BigInt64Array
}

interface Tokenizer extends Closable {
  encode(texts: string[], options: { maxTokens: number; padding?: Padding }, signal: AbortSignal): Promise<Encoded>
  maxTokens(): Promise<number | undefined> // of the model, if its files say so
  close(): Promise<void>
}

// The tokenizer of a model, from tokenizer.json and tokenizer_config.json. Opens at the first call and closes when
// idle.
export function lazyTokenizer(folder: Pick<ModelFolder, 'path'>, host: Host, idleSeconds?: number): Tokenizer {
  const tokenizer = closeWhenIdle(() => openTokenizer(folder.path, host), idleSeconds)
  return {
    encode: (texts, { maxTokens, padding = 'longest' }, signal) =>
      tokenizer.use(async ({ thread }) => {
        const job = { kind: 'encode' as const, texts, maxTokens, padding }
        return (await thread.ask(job, signal)) as Encoded
      }),
    maxTokens: () => tokenizer.use(async ({ maxTokens = 1e30 }) => (maxTokens < 1e6 ? maxTokens : undefined)), // 1e30 stands for "no limit"
    close: tokenizer.close,
  }
}

async function openTokenizer(folder: string, host: Host) {
  const thread = new Thread<TokenizerJob>('./tokenizer-worker', import.meta.url, 'tokenizer')
  try {
    const { maxTokens } = (await thread.ask({ kind: 'open', folder }, host.signal)) as { maxTokens?: number }
    return { thread, maxTokens, ended: () => thread.ended(), close: () => thread.close() }
  } catch (error) {
    await thread.close()
    throw error
  }
}

// Tokens as model inputs, limited to the inputs that the model has.
export function tokenFeeds(encoded: Encoded, inputs: readonly string[]): Feeds {
  const dims = [encoded.rows, encoded.width]
  const types = encoded.types ?? new BigInt64Array(encoded.ids.length)
  const position_ids = BigInt64Array.from(encoded.ids, (_, i) => BigInt(i % encoded.width))
  const tensors = { input_ids: encoded.ids, attention_mask: encoded.mask, token_type_ids: types, position_ids }
  return Object.fromEntries(
    Object.entries(tensors)
      .filter(([name]) => inputs.includes(name))
      .map(([name, data]) => [name, { type: 'int64' as const, data, dims }]),
  )
}
