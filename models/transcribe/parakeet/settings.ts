import { z } from 'zod'
import { hubSettings, modelSetting } from '../../hub/hub-model.ts'
import { batchSetting } from '../../onnx/batches.ts'
import { onnxSettings } from '../../onnx/device.ts'

// Short names for repositories of the hub.
export const parakeetModels = {
  v3: 'istupakov/parakeet-tdt-0.6b-v3-onnx',
  v2: 'istupakov/parakeet-tdt-0.6b-v2-onnx',
}

// The languages of each that is named.
export const languages = {
  v3: 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro ru sk sl es sv uk'.split(' '),
  v2: ['en'],
}

export const parakeetBatch = { cpu: 1, card: 8 }

export const ParakeetSettings = z.strictObject({
  model: modelSetting(parakeetModels, 'v3'),
  ...hubSettings,
  ...onnxSettings,
  precision: z
    .enum(['fp32', 'q8'])
    .default('q8')
    .describe('which of its files: fp32 for graphics cards, q8 for processors'),
  batch: batchSetting(parakeetBatch, 'windows that the encoder hears at once'),
  windowSeconds: z
    .number()
    .min(4)
    .max(300)
    .default(30)
    .describe("length of a window; the hub's exports are known to work up to about 35"),
  overlapSeconds: z.number().min(0.2).max(1.5).default(1).describe('heard twice where long speech is cut'),
})
export type ParakeetSettings = z.infer<typeof ParakeetSettings>
