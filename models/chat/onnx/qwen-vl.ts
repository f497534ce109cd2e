import type { RawImage, Tensor } from '@xenova/transformers'
import type { ImageProcessor, Inputs, Model, Package, PackageTokenizer } from './package-parts.ts'

// The package takes several pictures for the frames of one video and then fails at the second place in the prompt; and
// after a prompt without pictures it counts the positions of the reply from thrice its length. Both are put right here.

const imagePad = '<|image_pad|>'

export function isQwenVl(modelType: string): boolean {
  return /^qwen(2|2_5|3)_vl(_moe)?$|^qwen3_5(_moe)?$/.test(modelType)
}

interface QwenVl {
  encode_image(inputs: { pixel_values: Tensor; image_grid_thw: Tensor }): Promise<Tensor>
  _get_text_only_rope_index(ids: Tensor, mask: Tensor): [Tensor, Tensor]
}

export function mendQwenVl(model: Model, { cat, Tensor }: Package): void {
  const qwen = model as unknown as QwenVl
  const encode = qwen.encode_image.bind(qwen)
  qwen.encode_image = async ({ pixel_values, image_grid_thw }) => {
    const features: Tensor[] = []
    let from = 0
    for (const grid of image_grid_thw.tolist() as bigint[][]) {
      const to = from + Number(grid.reduce((a, b) => a * b))
      const pictureInput = {
        pixel_values: pixel_values.slice([from, to]),
        image_grid_thw: new Tensor('int64', grid, [1, 3]),
      }
      features.push(await encode(pictureInput))
      from = to
    }
    return cat(features, 0)
  }
  const positions = qwen._get_text_only_rope_index.bind(qwen)
  qwen._get_text_only_rope_index = (ids, mask) => {
    const [places] = positions(ids, mask)
    return [places, new Tensor('int64', new BigInt64Array(ids.dims[0] ?? 1), [ids.dims[0] ?? 1, 1])]
  }
}

// Each picture by itself, with as many places in the prompt as it has patches.
export async function qwenInputs(
  { cat }: Package,
  tokenizer: PackageTokenizer,
  prepare: ImageProcessor,
  prompt: string,
  pictures: readonly RawImage[],
): Promise<Inputs> {
  const values: Tensor[] = []
  const grids: Tensor[] = []
  const merged = Number(prepare.config.merge_size ?? 2) ** 2
  let text = ''
  for (const [at, before] of prompt.split(imagePad).entries()) {
    const picture = pictures[at - 1]
    if (picture) {
      const { pixel_values, image_grid_thw } = await prepare([picture])
      if (!image_grid_thw) throw new Error('the image processor gives no image_grid_thw')
      values.push(pixel_values)
      grids.push(image_grid_thw)
      const patches = (image_grid_thw.tolist() as bigint[][])[0]!.reduce((a, b) => a * b)
      text += imagePad.repeat(Number(patches) / merged)
    }
    text += before
  }
  const words = tokenizer(text, { add_special_tokens: false })
  return { ...words, pixel_values: cat(values, 0), image_grid_thw: cat(grids, 0) } as Inputs
}
