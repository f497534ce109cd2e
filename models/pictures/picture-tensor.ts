import type { OnnxTensor } from '../onnx/messages.ts'
import { stack } from '../onnx/tensors.ts'
import type { PictureConfig, PictureValues } from '../prepare/picture-config.ts'
import { prepare } from '../prepare/prepare.ts'
import type { Pixels } from '../prepare/resample.ts'

// Pictures as a model wants them: resized, cropped, scaled and normalised, channel by channel, in a thread of their own.
export async function pictureTensor(
  pictures: readonly Pixels[],
  config: PictureConfig,
  signal: AbortSignal,
): Promise<OnnxTensor> {
  return stackPictures(await Promise.all(pictures.map(picture => prepare('picture', [picture, config], signal))))
}

export function stackPictures(prepared: readonly PictureValues[]): OnnxTensor {
  const { width = 0, height = 0 } = prepared[0] ?? {}
  return stack(
    prepared.map(({ data }) => data),
    [3, height, width],
  )
}
