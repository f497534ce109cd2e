import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import type { ImageEncoder } from '../../src/core/services.ts'
import { hubModel, hubSettings, modelNeeds } from '../hub/hub-model.ts'
import { onnxSettings } from '../onnx/device.ts'
import { openTwoTowers, towerFiles, towerSettings } from './two-towers.ts'

// Short names for repositories of the hub.
const models = {
  base: 'onnx-community/siglip2-base-patch16-256-ONNX',
  so400m: 'onnx-community/siglip2-so400m-patch16-256-ONNX',
  'siglip1-base': 'Xenova/siglip-base-patch16-224',
}

const Settings = z.strictObject({
  model: z
    .string()
    .min(1)
    .default('base')
    .describe(`${Object.keys(models).join(', ')}, or a repository of the hub`),
  ...hubSettings,
  ...onnxSettings,
  ...towerSettings,
})
type Settings = z.infer<typeof Settings>

const wanted = (settings: Settings) => hubModel(settings, models, towerFiles)

// SigLIP and SigLIP 2 at a fixed size. Their words are padded to the full length: they were trained so.
const siglip: Backend<ImageEncoder, Settings> = {
  summary: 'pictures and words in one space by SigLIP or SigLIP 2',
  version: '1',
  settings: Settings,
  needs: settings => modelNeeds(wanted(settings)),
  open: (settings, host) =>
    openTwoTowers(
      { outputs: ['pooler_output', 'image_embeds', 'text_embeds'], longest: 64, padding: 'max_length' },
      wanted(settings),
      settings,
      host,
    ),
}

export default siglip
