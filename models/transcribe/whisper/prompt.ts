import type { Host } from '../../../src/core/backend.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { ModelFolder } from '../../hub/hub-model.ts'
import type { WhisperVocabulary } from '../../prepare/vocabulary.ts'
import { lazyTokenizer } from '../../tokens/tokenizer.ts'
import type { WhisperShape } from './generation.ts'

// The tokens of a text that the model takes for what was said before. Of a text that is too long the end stays: half of what the
// model can write, as its makers have it.
export async function promptTokens(
  prompt: string,
  {
    folder,
    vocabulary,
    shape,
    host,
  }: { folder: ModelFolder; vocabulary: WhisperVocabulary; shape: WhisperShape; host: Host },
): Promise<number[]> {
  const begin = vocabulary.special('<|startofprev|>')
  if (begin === undefined)
    throw new UsageError('The model takes no prompt: it has no token <|startofprev|>.', { hint: 'Leave prompt out.' })
  const tokenizer = lazyTokenizer(folder, host)
  try {
    const { ids } = await tokenizer.encode([` ${prompt.trim()}`], { maxTokens: 4 * prompt.length + 16 }, host.signal)
    const tokens = Array.from(ids, Number).filter(token => vocabulary.isText(token))
    return [begin, ...tokens.slice(1 - Math.floor(shape.max_target_positions / 2))]
  } finally {
    await tokenizer.close()
  }
}
