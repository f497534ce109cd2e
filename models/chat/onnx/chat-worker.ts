import type { RawImage } from '@xenova/transformers'
import { errorText } from '../../../src/core/errors.ts'
import { whyNoCuda } from '../../onnx/cuda-libraries.ts'
import { insideGuard, isEnding } from '../../onnx/exit-guard.ts'
import type { Opened } from '../../onnx/messages.ts'
import { marks, serveThread } from '../../onnx/serve-thread.ts'
import { pillowFilter } from '../../prepare/picture-config.ts'
import { resample } from '../../prepare/resample.ts'
import type { ChatPrompt, OnnxChatJob, OpenChat, RgbPicture, WrittenReply } from './messages.ts'
import type {
  ImageProcessor,
  Inputs,
  Model,
  OpenedChat,
  Package,
  PackageTokenizer,
  Processor,
} from './package-parts.ts'
import { isQwenVl, mendQwenVl, qwenInputs } from './qwen-vl.ts'

// A chat model through the transformers package, in a thread of its own.

let opened: OpenedChat | undefined

serveThread<OnnxChatJob>({
  async work(job, isCancelled, tell) {
    if (job.kind === 'open') {
      const chat = await openChat(job, call => insideGuard(marks, call))
      opened = chat
      return { provider: chat.provider, refused: chat.refused }
    }
    if (!opened) throw new Error('the model is not open')
    return write(opened, job.writing, isCancelled, tell)
  },
  close: async () => void (await opened?.model.dispose()),
})

async function write(
  chat: OpenedChat,
  writing: ChatPrompt,
  isCancelled: () => boolean,
  tell: (piece: unknown) => void,
): Promise<WrittenReply> {
  const { transformers, tokenizer, model } = chat
  const { StoppingCriteria, TextStreamer, random } = transformers
  const refused = whyRefused(chat, writing)
  if (refused) return { refused }
  const inputs = await promptInputs(chat, writing)
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

// Why a model of this kind cannot take the request; undefined if it can.
function whyRefused({ model, processor }: OpenedChat, { pictures, sounds }: ChatPrompt): string | undefined {
  const type = model.config.model_type
  if (pictures.length + sounds.length > 0 && !processor) return 'has no processor for pictures and sounds'
  if (pictures.length > 1 && !takesSeveral(type))
    return `is of the type "${type}" and was given ${pictures.length} pictures: such a model is not known to take more than one`
  if (sounds.length > 1) return `was given ${sounds.length} sounds, and its processor takes one`
  if (sounds.length > 0 && !listens(type)) return `is of the type "${type}", which is not known to listen`
  return undefined
}

const splitting = (type: string) => type === 'idefics3' || type === 'smolvlm'
const picturesFirst = (type: string) => type === 'lfm2_vl' || type.startsWith('llava') || type === 'paligemma'
const listens = (type: string) => type === 'gemma3n' || type === 'gemma4'
const takesSeveral = (type: string) =>
  splitting(type) || isQwenVl(type) || ['gemma3', 'gemma3n', 'gemma4', 'lfm2_vl'].includes(type)

// What the model reads: the conversation in its template, with the pictures and sounds at their places.
export async function promptInputs(opened: OpenedChat, writing: ChatPrompt): Promise<Inputs> {
  const { transformers, tokenizer, processor, model, template } = opened
  const prompt = tokenizer.apply_chat_template(writing.messages, {
    tools: writing.tools ?? null,
    ...(template !== undefined && { chat_template: template }),
    ...(writing.think === false && { enable_thinking: false }),
    add_generation_prompt: true,
    tokenize: false,
  })
  // Image processors fail without an image.
  const { pictures, sounds } = writing
  if (!processor || pictures.length + sounds.length === 0) return tokenizer(prompt, { add_special_tokens: false })
  const type = model.config.model_type
  const prepare = processor.image_processor
  const images = pictures.map(picture => pillowImage(transformers, picture))
  if (prepare && splitting(type))
    return processor(prompt, await Promise.all(images.map(image => squared(image, prepare))), unsplit)
  if (prepare && isQwenVl(type)) return qwenInputs(transformers, tokenizer, prepare, prompt, images)
  const words = { add_special_tokens: false }
  const imageInput = images.length > 0 ? images : null
  if (picturesFirst(type)) return processor(images, prompt, words)
  return listens(type) ? processor(prompt, imageInput, sounds[0] ?? null, words) : processor(prompt, imageInput, words)
}

type Resizing = Parameters<RawImage['resize']>[2]

// A picture that resizes itself as the models' makers do; the package does not smooth where it shrinks one.
function pillowImage({ RawImage }: Package, { rgb, width, height }: RgbPicture): RawImage {
  class PillowImage extends RawImage {
    override async resize(toWidth: number, toHeight: number, { resample: filter = 2 }: Resizing = {}) {
      const pixels = { width: this.width, height: this.height, rgb: new Uint8Array(this.data) }
      const kernel = pillowFilter({ resample: Number(filter) })
      const { rgb } = resample(pixels, Math.round(toWidth), Math.round(toHeight), kernel)
      return new PillowImage(rgb, Math.round(toWidth), Math.round(toHeight), 3)
    }
  }
  return new PillowImage(rgb, width, height, 3)
}

const unsplit = { do_image_splitting: false }

// SmolVLM sees a picture as up to 17 tiles unless told otherwise. As frames of a video are shown to it: one tile, by way of
// a picture whose longer edge is that of the tile.
async function squared(image: RawImage, prepare: ImageProcessor): Promise<RawImage> {
  prepare.do_resize = false
  const edge = prepare.max_image_size?.longest_edge ?? 512
  const { width, height } = image
  const even = (length: number) => Math.max(1, Math.trunc(length) + (Math.trunc(length) % 2))
  const [across, down] = width >= height ? [edge, even((edge * height) / width)] : [even((edge * width) / height), edge]
  const { resample } = prepare as { resample?: 0 | 1 | 2 | 3 | 4 | 5 }
  const smaller = await image.resize(across, down, { resample })
  return smaller.resize(edge, edge, { resample })
}
