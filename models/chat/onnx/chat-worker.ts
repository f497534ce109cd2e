import type * as Transformers from '@xenova/transformers'
import { errorText } from '../../../src/core/errors.ts'
import { whyNoCuda } from '../../onnx/cuda-libraries.ts'
import { insideGuard, isEnding } from '../../onnx/exit-guard.ts'
import { marks, serveThread } from '../../onnx/serve-thread.ts'
import type { OnnxChatJob, Writing, WrittenReply } from './messages.ts'

// A chat model through the transformers package, in a thread of its own.

// The part of the package that is used here; its own types are too wide to help.
interface Tokenizer {
  apply_chat_template(messages: object[], options: object): string
  (text: string, options: object): Inputs
  batch_decode(tokens: unknown, options: object): string[]
}
interface Inputs {
  input_ids: { dims: number[] }
}
interface Model {
  generate(options: object): Promise<{ dims: number[]; slice(...ranges: unknown[]): unknown }>
  dispose(): Promise<unknown>
}
interface Opened {
  transformers: typeof Transformers
  tokenizer: Tokenizer
  processor?: (text: string, images: unknown[] | null, options: object) => Promise<Inputs>
  model: Model
}

let opened: Opened | undefined

serveThread<OnnxChatJob>({
  async work(job, isCancelled, tell) {
    if (job.kind === 'open') return open(job)
    if (!opened) throw new Error('the model is not open')
    return write(opened, job.writing, isCancelled, tell)
  },
  close: async () => void (await opened?.model.dispose()),
})

async function open(job: OnnxChatJob & { kind: 'open' }) {
  const transformers = await import('@xenova/transformers')
  const { AutoTokenizer, AutoProcessor, AutoModelForCausalLM, AutoModelForImageTextToText, LogLevel, env } =
    transformers
  env.allowRemoteModels = false
  env.logLevel = LogLevel.NONE
  const local = { local_files_only: true }
  const auto = job.model === 'vision' ? AutoModelForImageTextToText : AutoModelForCausalLM
  const tokenizer = (await AutoTokenizer.from_pretrained(job.folder, local)) as unknown as Tokenizer
  const processor =
    job.model === 'vision'
      ? ((await AutoProcessor.from_pretrained(job.folder, local)) as unknown as Opened['processor'])
      : undefined
  const refused: { provider: string; reason: string }[] = []
  for (const device of job.providers) {
    const lacking = device === 'cuda' ? whyNoCuda() : undefined
    if (lacking) {
      refused.push({ provider: device, reason: lacking })
      continue
    }
    try {
      const session_options = { intraOpNumThreads: job.threads, interOpNumThreads: 1 }
      const options = { ...local, device, dtype: job.precision, session_options }
      const model = await insideGuard(marks, async () => auto.from_pretrained(job.folder, options))
      opened = { transformers, tokenizer, processor, model: model as unknown as Model }
      return { provider: device, refused }
    } catch (error) {
      refused.push({ provider: device, reason: errorText(error).replace(/\n.*/s, '') })
    }
  }
  throw new Error(refused.map(entry => `${entry.provider}: ${entry.reason}`).join('; '))
}

async function write(
  { transformers, tokenizer, processor, model }: Opened,
  writing: Writing,
  isCancelled: () => boolean,
  tell: (piece: unknown) => void,
): Promise<WrittenReply> {
  const { RawImage, StoppingCriteria, TextStreamer, random } = transformers
  const prompt = tokenizer.apply_chat_template(writing.messages, {
    tools: writing.tools ?? null,
    ...(writing.think === false && { enable_thinking: false }),
    add_generation_prompt: true,
    tokenize: false,
  })
  const pictures = writing.pictures.map(({ rgb, width, height }) => new RawImage(rgb, width, height, 3))
  // Image processors fail without an image.
  const inputs =
    processor && pictures.length > 0
      ? await processor(prompt, pictures, {})
      : tokenizer(prompt, { add_special_tokens: false })
  const inputTokens = inputs.input_ids.dims[1] ?? 0
  const room = writing.context - inputTokens
  if (room < 1) return { tooLong: inputTokens }

  class Cancelled extends StoppingCriteria {
    override _call(rows: number[][]): boolean[] {
      return rows.map(() => isCancelled() || isEnding(marks))
    }
  }
  if (writing.seed !== undefined) random.seed(writing.seed)
  const streamer = new TextStreamer(tokenizer as never, { skip_prompt: true, callback_function: tell })
  const maxTokens = Math.min(writing.maxTokens, room)
  const sampled = writing.temperature > 0
  const output = await insideGuard(marks, () =>
    model.generate({
      ...inputs,
      max_new_tokens: maxTokens,
      do_sample: sampled,
      ...(sampled && { temperature: writing.temperature }),
      streamer,
      stopping_criteria: [new Cancelled()],
    }),
  )
  if (isCancelled()) throw new Error('cancelled')
  const outputTokens = (output.dims[1] ?? inputTokens) - inputTokens
  const [text = ''] = tokenizer.batch_decode(output.slice(null, [inputTokens, null]), { skip_special_tokens: true })
  return { text, inputTokens, outputTokens, stop: outputTokens >= maxTokens ? 'length' : 'end' }
}
