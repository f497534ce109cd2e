import { errorText } from '../../../src/core/errors.ts'
import { whyNoCuda } from '../../onnx/cuda-libraries.ts'
import type { Opened } from '../../onnx/messages.ts'
import type { OpenChat } from './messages.ts'
import type { Model, OpenedChat, PackageTokenizer, Processor } from './package-parts.ts'
import { isQwenVl, mendQwenVl } from './qwen-vl.ts'

// Opens a model on the first device that takes it. `inside` wraps each call into ONNX Runtime.
export async function openChat(
  { folder, model: kind, providers, threads, precision, template }: Omit<OpenChat, 'kind'>,
  inside: <Result>(call: () => Promise<Result>) => Promise<Result>,
): Promise<OpenedChat & Pick<Opened, 'provider' | 'refused'>> {
  const transformers = await import('@xenova/transformers')
  const { AutoTokenizer, AutoProcessor, AutoModelForCausalLM, AutoModelForImageTextToText, LogLevel, env } =
    transformers
  env.allowRemoteModels = false
  env.logLevel = LogLevel.NONE
  const local = { local_files_only: true }
  const auto = kind === 'vision' ? AutoModelForImageTextToText : AutoModelForCausalLM
  const tokenizer = (await AutoTokenizer.from_pretrained(folder, local)) as unknown as PackageTokenizer
  const processor =
    kind === 'vision' ? ((await AutoProcessor.from_pretrained(folder, local)) as unknown as Processor) : undefined
  const refused: Opened['refused'] = []
  for (const provider of providers) {
    const lacking = provider === 'cuda' ? whyNoCuda() : undefined
    if (lacking) {
      refused.push({ provider, reason: lacking })
      continue
    }
    try {
      const session_options = { intraOpNumThreads: threads, interOpNumThreads: 1 }
      const options = { ...local, device: provider, dtype: precision, session_options }
      const model = (await inside(async () => auto.from_pretrained(folder, options))) as unknown as Model
      if (isQwenVl(model.config.model_type)) mendQwenVl(model, transformers)
      return { transformers, tokenizer, processor, model, template, provider, refused }
    } catch (error) {
      refused.push({ provider, reason: errorText(error).replace(/\n.*/s, '') })
    }
  }
  throw new Error(refused.map(entry => `${entry.provider}: ${entry.reason}`).join('; '))
}
