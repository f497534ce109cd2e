import type { RawImage } from '@xenova/transformers'
import { pillowFilter } from '../../prepare/picture-config.ts'
import { resample } from '../../prepare/resample.ts'
import type { ChatPrompt, RgbPicture } from './messages.ts'
import type { ImageProcessor, Inputs, OpenedChat, Package } from './package-parts.ts'
import { isQwenVl, qwenInputs } from './qwen-vl.ts'

// Why a model of this kind cannot take the request; undefined where it can.
export function whyRefused({ model, processor }: OpenedChat, { pictures, sounds }: ChatPrompt): string | undefined {
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
