import type { OnnxTensor } from '../onnx/messages.ts'
import { prepare } from '../prepare/prepare.ts'
import type { PictureConfig } from './picture-config.ts'
import type { Pixels } from './resample.ts'

// Pictures as a model wants them: resized, cropped, scaled and normalised, channel by channel, in a thread of their own.
export async function pictureTensor(
  pictures: readonly Pixels[],
  config: PictureConfig,
  signal: AbortSignal,
): Promise<OnnxTensor> {
  let data = new Float32Array()
  let dims: number[] = []
  for (const [at, picture] of pictures.entries()) {
    signal.throwIfAborted()
    const prepared = await prepare('picture', [picture, config], signal)
    if (at === 0) {
      dims = [pictures.length, 3, prepared.height, prepared.width]
      data = new Float32Array(dims.reduce((product, dim) => product * dim, 1))
    }
    data.set(prepared.data, (at * data.length) / pictures.length)
  }
  return { type: 'float32', data, dims }
}
